import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import Deflate
import EventModel
import Synchronization
import Testing

@testable import SyncServer

@Suite("Pages of snapshots that are read ahead and shared")
struct SnapshotPagesTests {
    private static func cursor(_ number: Int) -> SnapshotCursor? {
        number == 0 ? nil : SnapshotCursor(bytes: [UInt8(number)])
    }

    private static func name(_ number: Int, _ realm: RealmName = .sample()) -> SnapshotPages.Name {
        SnapshotPages.Name(realm: realm, history: .sample(), cursor: cursor(number), maximumBytes: 100)
    }

    /// A realm of three pages with an object each, whose reading a test counts and holds up.
    private final class Realm: Sendable {
        let head = Mutex(5)
        let readings = Mutex<[Int]>([])
        /// Happens with each reading that has begun.
        let begins = Signal()
        /// What a reading waits for, by the number of its page.
        let gates = Mutex<[Int: Signal]>([:])
        let failing = Mutex<Set<Int>>([])

        func read(_ name: SnapshotPages.Name) async throws -> SnapshotPage {
            let number = name.cursor.map { Int($0.bytes[0]) } ?? 0
            readings.withLock { $0.append(number) }
            let head = head.withLock(\.self)
            begins.happens()
            await gates.withLock { $0[number] }?.waits()
            if failing.withLock({ $0.contains(number) }) { throw SyncServerError.unknownRealm }
            let object = SnapshotObject(
                .sample(Int64(number + 1)),
                changed: 1,
                actions: [.create(given: [:], defaults: [:])]
            )
            return SnapshotPage(head: head, objects: [object], next: number < 2 ? cursor(number + 1) : nil)
        }
    }

    @Test("the next page is read before it is asked for, and each of them once for all who begin")
    func ahead() async throws {
        let realm = Realm()
        let pages = SnapshotPages(realm.read)

        let first = try await pages.page(Self.name(0), from: 5)
        await realm.begins.waits(for: 2)
        #expect(realm.readings.withLock(\.self) == [0, 1])
        #expect(first.next == Self.cursor(1))
        for _ in 1...2 {
            for number in 0...2 {
                let page = try await pages.page(Self.name(number), from: 5)
                #expect(try SnapshotPage(bytes: page.bytes).objects.map(\.object) == [.sample(Int64(number + 1))])
                #expect(page.count == 1 && page.packed == nil)
            }
        }

        #expect(realm.readings.withLock(\.self) == [0, 1, 2])
    }

    @Test("who asks while the page is read ahead waits for it")
    func waiting() async throws {
        let realm = Realm()
        let gate = Signal()
        realm.gates.withLock { $0[1] = gate }
        let pages = SnapshotPages(realm.read)
        _ = try await pages.page(Self.name(0), from: 5)
        await realm.begins.waits(for: 2)

        async let second = pages.page(Self.name(1), from: 5)
        gate.happens()

        #expect(try await second.next == Self.cursor(2))
        #expect(realm.readings.withLock { $0.count { $0 == 1 } } == 1)
    }

    @Test("a page that lacks an entry that there was when it was asked for is read anew, also one that comes in late")
    func old() async throws {
        let realm = Realm()
        let gate = Signal()
        realm.gates.withLock { $0[1] = gate }
        let pages = SnapshotPages(realm.read)
        _ = try await pages.page(Self.name(0), from: 5)
        await realm.begins.waits(for: 2)
        realm.head.withLock { $0 = 6 }
        realm.gates.withLock { $0 = [:] }
        pages.forget(.sample())
        gate.happens()

        #expect(try await pages.page(Self.name(1), from: 6).head == 6)
        #expect(try await pages.page(Self.name(0), from: 6).head == 6)
        #expect(try await pages.page(Self.name(0), from: 5).head == 6)
    }

    @Test("what fails ahead is nobody's error, and whoever asks has it read again")
    func failing() async throws {
        let realm = Realm()
        realm.failing.withLock { $0 = [1] }
        let pages = SnapshotPages(realm.read)
        _ = try await pages.page(Self.name(0), from: 5)
        await realm.begins.waits(for: 2)

        await #expect(throws: SyncServerError.unknownRealm) { try await pages.page(Self.name(1), from: 5) }
        realm.failing.withLock { $0 = [] }
        #expect(try await pages.page(Self.name(1), from: 5).next == Self.cursor(2))
    }

    @Test("no more pages are read ahead than that many, whoever asks")
    func bounded() async throws {
        let realm = Realm()
        let gate = Signal()
        realm.gates.withLock { $0[1] = gate }
        let pages = SnapshotPages(realm.read)
        for number in 1...5 { _ = try await pages.page(Self.name(0, .sample(ExactText("s_\(number)"))), from: 5) }
        #expect(pages.aheadCount == SnapshotPages.maximumAhead)
        await realm.begins.waits(for: 5 + SnapshotPages.maximumAhead)

        #expect(
            realm.readings.withLock(\.self).sorted() == [0, 0, 0, 0, 0]
                + Array(repeating: 1, count: SnapshotPages.maximumAhead)
        )
        for _ in 1...SnapshotPages.maximumAhead { gate.happens() }
    }
}
