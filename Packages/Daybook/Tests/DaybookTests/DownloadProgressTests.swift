import Daybook
import Dispatch
import EventModelTesting
import Foundation
import Synchronization
import Testing

@Suite("The progress of an opening that downloads")
struct DownloadProgressTests {
    /// Gives a realm a download that waits for the listener.
    private final class SlowServer: OpeningAttachment, InstanceCompanion {
        private let (listening, listened) = AsyncStream<Void>.makeStream()

        func observer(
            for realm: RealmIdentity,
            notes: (any CommitNotes)?,
            existing: (any RealmObserver)?
        ) -> (any RealmObserver)? {
            nil
        }

        func companion(of configuration: Realm.Configuration) -> (any InstanceCompanion)? { self }

        func begin() { listened.finish() }

        func download(reporting: @escaping @Sendable (Int, Int) -> Void) async throws {
            for await _ in listening {}
            reporting(1, 4)
            reporting(4, 4)
        }
    }

    @Test("a block is called on its queue with what was transferred")
    func progress() async throws {
        let folder = try TestFolder.made()
        let server = SlowServer()
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.file("downloaded.realm")),
            objectTypes: [Person.self]
        )
        configuration.attachment = server
        let seen = Mutex<[Double]>([])
        let queue = DispatchQueue(label: "progress")
        let (openings, opened) = AsyncStream<Bool>.makeStream()

        let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
            opened.yield((try? result.get()) != nil)
            opened.finish()
        }
        task.addProgressNotification(queue: queue) { progress in
            dispatchPrecondition(condition: .onQueue(queue))
            seen.withLock { $0.append(progress.progressEstimate) }
        }
        server.begin()

        var isOpen: [Bool] = []
        for await opening in openings { isOpen.append(opening) }
        #expect(isOpen == [true])
        #expect(seen.withLock { $0 } == [0.25, 1])
    }
}
