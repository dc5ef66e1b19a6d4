import Dispatch
import EventModel
import EventModelTesting
import Foundation
import Synchronization
import Testing

@testable import ObjectStore

/// A class of its own for files that are opened with a companion.
final class AttachedNote: Object {
    @Persisted(primaryKey: true) var _id: Int
}

@Suite("Companions of instances")
struct OpeningAttachmentTests {
    private struct Unreachable: Error, Equatable {}

    /// What companions did, in order.
    private final class Companions: OpeningAttachment {
        let living = Mutex(0)
        let downloads = Mutex(0)
        let failure: Unreachable?

        init(failure: Unreachable? = nil) { self.failure = failure }

        var livingCount: Int { living.withLock(\.self) }
        var downloadCount: Int { downloads.withLock(\.self) }

        func observer(
            for realm: RealmIdentity,
            notes: (any CommitNotes)?,
            existing: (any RealmObserver)?
        ) throws -> (any RealmObserver)? { existing }

        func companion(of configuration: Realm.Configuration) throws -> (any InstanceCompanion)? { Companion(self) }
    }

    private final class Companion: InstanceCompanion {
        private let all: Companions

        init(_ all: Companions) {
            self.all = all
            all.living.withLock { $0 += 1 }
        }

        deinit { all.living.withLock { $0 -= 1 } }

        func download(reporting: @escaping @Sendable (Int, Int) -> Void) async throws {
            try Task.checkCancellation()
            all.downloads.withLock { $0 += 1 }
            reporting(1, 2)
            if let failure = all.failure { throw failure }
            reporting(2, 2)
        }
    }

    private let folder: TestFolder

    init() throws { folder = try TestFolder.made() }

    private func configuration(_ companions: Companions) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.file("attached.realm")),
            objectTypes: [AttachedNote.self]
        )
        configuration.attachment = companions
        return configuration
    }

    @Test("an instance keeps its companion for as long as it exists, and an object keeps the instance")
    func lifetime() throws {
        let companions = Companions()
        var object: AttachedNote?
        try autoreleasepool {
            let realm = try Realm(configuration: configuration(companions), queue: nil)
            let again = try Realm(configuration: configuration(companions), queue: nil)
            #expect(companions.livingCount == 1)
            object = try again.write { realm.create(AttachedNote.self, value: ["_id": 1]) }
        }
        #expect(companions.livingCount == 1)
        withExtendedLifetime(object) {}
        object = nil

        #expect(companions.livingCount == 0)
        #expect(companions.downloadCount == 0)
    }

    @Test("an opening downloads as it is told: never, when there is no file, or always")
    func behaviors() async throws {
        let companions = Companions()
        let configuration = configuration(companions)
        func open(_ behavior: OpenBehavior) async throws -> Int {
            let actor = PlainActor()
            try await actor.open(configuration, behavior)
            return companions.downloadCount
        }

        #expect(try await open(.once) == 1)
        #expect(try await open(.once) == 1)
        #expect(try await open(.never) == 1)
        #expect(try await open(.always) == 2)
    }

    @Test("an opening whose download fails hands on why, and leaves no companion behind")
    func failure() async throws {
        let companions = Companions(failure: Unreachable())
        let configuration = configuration(companions)

        await #expect(throws: Unreachable()) { try await PlainActor().open(configuration, .always) }
        let result = await withCheckedContinuation { continuation in
            Realm.asyncOpen(configuration: configuration, callbackQueue: DispatchQueue(label: "test")) {
                continuation.resume(returning: $0.map { _ in true })
            }
        }

        #expect(throws: Unreachable()) { try result.get() }
        #expect(companions.livingCount == 0)
    }

    @Test("an opening with a callback downloads always, and reports progress also to who listens late")
    func callbacks() async throws {
        let companions = Companions()
        let configuration = configuration(companions)
        let (reports, listener) = AsyncStream<[Int]>.makeStream(bufferingPolicy: .unbounded)
        let queue = DispatchQueue(label: "test")
        queue.suspend()
        let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { _ in listener.finish() }

        task.report { listener.yield([$0, $1]) }
        var iterator = reports.makeAsyncIterator()
        var last = await iterator.next()
        while let report = last, report != [2, 2] { last = await iterator.next() }
        #expect(last == [2, 2])
        queue.resume()

        #expect(await iterator.next() == nil)
        #expect(companions.downloadCount == 1)
    }
}

/// An actor that opens a realm and lets it go.
private actor PlainActor {
    func open(_ configuration: Realm.Configuration, _ behavior: OpenBehavior) async throws {
        _ = try await Realm(configuration: configuration, actor: self, downloadBeforeOpen: behavior)
    }
}
