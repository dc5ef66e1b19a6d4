import EventModel
import EventModelTesting
import EventPartitionsTesting
import EventProofs
import Testing

@testable import SyncTransport

@Suite("What a device keeps of its server's log")
struct LogBookTests {
    private static let path = "/app/mongodb-realm/ward"

    private func book(on disk: any FileSystem) -> LogBook {
        let folder = AppFolder(root: "/app", app: "ward")
        return LogBook(
            app: "ward",
            folder: folder,
            receipts: ReceiptFile(path: folder.receipts),
            configured: nil,
            fileSystem: disk,
            logger: { _, _ in }
        )
    }

    private func fork() throws -> (kept: SignedCheckpoint, contradiction: LogContradiction) {
        let log = try SampleLog(size: 3)
        var liar = log
        liar.entries[0] = []
        let (kept, newest) = (try log.published().signed, try liar.published().signed)
        let contradiction = LogContradiction.fork(
            smaller: kept,
            larger: newest,
            root: kept.checkpoint.root,
            path: []
        )
        return (kept, contradiction)
    }

    private func record(_ kept: SignedCheckpoint) -> LogRecord {
        LogRecord(key: "k", checkpoint: String(decoding: kept.note.bytes, as: UTF8.self), proven: ["62b3": "ab"])
    }

    @Test(
        "a power cut after a call took nothing of it, whatever the disk had not written yet",
        arguments: [.losesAll, .losesNothing] + (0..<8).map { InMemoryFileSystem.PowerCut.losesSome(seed: $0) }
    )
    func durable(cut: InMemoryFileSystem.PowerCut) throws {
        let disk = InMemoryFileSystem()
        let (kept, contradiction) = try fork()
        let before = book(on: disk)
        try before.keep(record(kept))
        #expect(before.objection == nil)

        let doubt = before.keep(contradiction)

        let after = book(on: disk.afterPowerCut(cut))
        #expect(try after.record() == record(kept))
        #expect(try after.contradiction() == contradiction)
        #expect(after.objection == doubt)
        #expect(throws: TransportError.self) { try after.check() }
    }

    @Test("a power cut within a call leaves the contradiction as a whole, or the record with which it is found again")
    func cutWithin() throws {
        let (kept, contradiction) = try fork()
        for failing in 1..<30 {
            let disk = InMemoryFileSystem()
            try book(on: disk).keep(record(kept))

            let dying = FaultInjectingFileSystem(disk, passesSyncs: true)
            dying.die(atCall: failing)
            _ = book(on: dying).keep(contradiction)
            dying.bury()

            for left in [.losesAll, .losesNothing, InMemoryFileSystem.PowerCut.losesSome(seed: UInt64(failing))] {
                let after = book(on: disk.afterPowerCut(left))
                #expect(try after.record() == record(kept), "call \(failing)")
                #expect(try [contradiction, nil].contains(after.contradiction()), "call \(failing)")
            }
        }
    }

    @Test("a contradiction that the disk has no room for takes the reserve's, and is a doubt as long as there is none")
    func fullDisk() throws {
        let (kept, contradiction) = try fork()
        let disk = InMemoryFileSystem()
        disk.isFull = true
        let book = book(on: disk)

        let doubt = book.keep(contradiction)

        guard case .unproven = doubt else {
            Issue.record("\(doubt)")
            return
        }
        #expect(book.conclude(doubt) != nil)
        #expect(book.objection == doubt)
        disk.isFull = false
        try book.keep(record(kept))
        #expect(book.keep(contradiction) == book.objection)
        #expect(try book.contradiction() == contradiction)
    }

    @Test("the first contradiction stays, whatever is found after it")
    func first() throws {
        let disk = InMemoryFileSystem()
        let (kept, contradiction) = try fork()
        let book = book(on: disk)
        _ = book.keep(contradiction)

        _ = book.keep(.fork(smaller: kept, larger: kept, root: kept.checkpoint.root, path: []))

        #expect(try book.contradiction() == contradiction)
        try book.trustAnew()
        #expect(book.objection == nil)
        #expect(disk.contents(of: "\(Self.path)/server-log.contradiction.resolved") != nil)
        #expect(try book.record() == nil)
    }

    @Test("a doubt is told once, until a look was good; what could not be read ends no doubt")
    func told() {
        let book = book(on: InMemoryFileSystem())
        let (doubt, unchecked) = (LogDoubt.unproven("a"), LogDoubt.unchecked("b"))

        #expect(book.conclude(doubt) == .logUnproven(reason: "a"))
        #expect(book.conclude(doubt) == nil)
        #expect(book.conclude(unchecked) == .logUnchecked(reason: "b"))
        #expect(book.objection == doubt)
        #expect(book.conclude(nil) == nil)
        #expect(book.objection == nil)
        #expect(book.conclude(doubt) == .logUnproven(reason: "a"))
    }

    @Test("a file of a contradiction that nobody can read still stops everything")
    func unreadable() throws {
        let disk = InMemoryFileSystem()
        try disk.makeDirectory(Self.path)
        disk.place([], at: "\(Self.path)/server-log.contradiction")
        let book = book(on: disk)

        #expect(throws: TransportError.self) { try book.check() }
        #expect(throws: SyncTransportError.self) { try book.contradiction() }
    }
}
