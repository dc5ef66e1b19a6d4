import EventModel
import EventPartitions
import EventPartitionsTesting
import Foundation
import Synchronization
import Testing

@Suite("Notes of deleted partitions")
struct DeletionRecordTests {
    private let fixture: FilesFixture
    private let all = [ObjectId(high: 0, low: 0)...ObjectId(high: .max, low: .max)]

    init() throws {
        fixture = try FilesFixture()
    }

    private var records: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).filter { $0.hasSuffix(".deleted") }
        }
    }

    /// Stores events in a partition of their own, uploads it and deletes it.
    private func storeAndDelete(_ numbers: Range<Int>, in files: PartitionedEventFiles) throws {
        _ = try files.append(AuditEvent.samples(numbers))
        try files.seal()
        try deleteAll(of: files)
    }

    private func deleteAll(of files: PartitionedEventFiles) throws {
        for summary in try files.partitions() {
            _ = try files.upload(summary.partition)
            try files.delete(summary.partition)
        }
    }

    private func ids(_ numbers: Range<Int>) -> Set<ObjectId> { Set(AuditEvent.samples(numbers).map(\.id)) }

    @Test("without anybody who wants to know, a deletion leaves nothing behind")
    func nobody() throws {
        let files = try fixture.open()

        try storeAndDelete(0..<3, in: files)

        #expect(try records == [])
        #expect(try files.storedEvents(among: all) == [])
    }

    @Test("what is deleted within a noting is found until all of them have ended")
    func noting() throws {
        let files = try fixture.open()
        let (first, second) = (files.noteDeletions(), files.noteDeletions())
        try storeAndDelete(0..<3, in: files)
        try storeAndDelete(5..<6, in: files)

        first.end()
        #expect(try files.storedEvents(among: all) == ids(0..<3).union(ids(5..<6)))
        second.end()

        #expect(try files.storedEvents(among: all) == [])
        #expect(try records == [])
    }

    @Test("what was deleted within a noting of a process that died is found while there is a journal")
    func deadNoting() throws {
        let journals = ScopeJournalFiles(fixture.folder)
        let journal = try journals.begin()
        do {
            let files = try fixture.open()
            let noting = files.noteDeletions()
            try storeAndDelete(0..<3, in: files)
            // A killed process ends nothing; its locks go.
            let record = try #require(try records.first)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(fixture.folder.path)/\(record)"))
            noting.end()
            try bytes.write(to: URL(fileURLWithPath: "\(fixture.folder.path)/\(record)"))
        }

        let next = try fixture.open()
        #expect(try next.storedEvents(among: all) == ids(0..<3))
        try journal.remove()
        _ = try next.partitions()

        #expect(try records == [])
    }

    @Test("a note of a noting that goes on in another process is left to it")
    func livingNoting() throws {
        let files = try fixture.open()
        let noting = files.noteDeletions()
        try storeAndDelete(0..<3, in: files)
        let neighbour = try fixture.open()

        _ = try neighbour.partitions()

        #expect(try records.count == 1)
        #expect(try neighbour.storedEvents(among: all) == ids(0..<3))
        noting.end()
    }

    @Test("of what a dead process left beside a journal, a note stays when it is deleted, until that journal goes")
    func leftBesideJournal() throws {
        let journal = try ScopeJournalFiles(fixture.folder).begin()
        do {
            let dead = try fixture.open()
            _ = try dead.append(AuditEvent.samples(0..<3))
        }
        let files = try fixture.open()
        let later = try ScopeJournalFiles(fixture.folder).begin()
        try deleteAll(of: files)
        try storeAndDelete(5..<7, in: files)

        #expect(try files.storedEvents(among: all) == ids(0..<3))
        try journal.remove()
        _ = try files.partitions()

        #expect(try records == [])
        try later.remove()
    }

    @Test("of what a dead process left beside a journal, a note outlives those who wanted it for themselves")
    func leftBesideJournalAndNoted() throws {
        let journal = try ScopeJournalFiles(fixture.folder).begin()
        do {
            let dead = try fixture.open()
            _ = try dead.append(AuditEvent.samples(0..<3))
        }
        let files = try fixture.open()
        let later = try ScopeJournalFiles(fixture.folder).begin()
        let noting = files.noteDeletions()
        try deleteAll(of: files)
        try storeAndDelete(5..<7, in: files)
        noting.end()

        #expect(try files.storedEvents(among: all) == ids(0..<3))
        _ = try files.partitions()
        #expect(try fixture.open().storedEvents(among: all) == ids(0..<3))
        try journal.remove()
        _ = try files.partitions()

        #expect(try records == [])
        try later.remove()
    }

    @Test("what is in files of other processes and in files that are kept aside is found, and only what was asked for")
    func otherFiles() throws {
        let (files, neighbour) = (try fixture.open(), try fixture.open())
        _ = try files.append(AuditEvent.samples(0..<3))
        _ = try neighbour.append(AuditEvent.samples(3..<6))
        let partition = try #require(try files.partitions().last?.partition)
        try files.quarantine(partition, reason: "a test")

        let asked = [AuditEvent.sample(1).id...AuditEvent.sample(4).id]
        #expect(try files.storedEvents(among: asked) == ids(1..<5))
        #expect(try PartitionFiles.strays(below: fixture.folder.path).isEmpty)
    }

    @Test("a torn note is no obstacle, and goes when somebody looks")
    func torn() throws {
        let journal = try ScopeJournalFiles(fixture.folder).begin()
        let name = "\(fixture.folder.path)/\(ObjectId(high: 1, low: 1).stringValue).deleted"
        try Data("{\"events\":[".utf8).write(to: URL(fileURLWithPath: name))

        let files = try fixture.open()

        #expect(try files.storedEvents(among: all) == [])
        #expect(try records == [])
        withExtendedLifetime(journal) {}
    }

    @Test("a note that cannot be written keeps the partition")
    func failingNote() throws {
        let files = try fixture.open()
        let noting = files.noteDeletions()
        _ = try files.append(AuditEvent.samples(0..<3))
        try files.seal()
        let partition = try #require(try files.partitions().first?.partition)
        _ = try files.upload(partition)
        fixture.faulty.fail(.synchronize, at: 1, with: .error(5))

        #expect(throws: PartitionError.self) { try files.delete(partition) }

        #expect(try files.partitions().map(\.partition) == [partition])
        try files.delete(partition)
        #expect(try files.storedEvents(among: all) == ids(0..<3))
        noting.end()
    }

    @Test("a note that is given up while others read the notes goes before they list the folder, or when they are done")
    func givenUpMeanwhile() throws {
        let files = try fixture.open()
        let noting = files.noteDeletions()
        try storeAndDelete(0..<3, in: files)
        let other = try fixture.open()
        let (reader, folder) = (ObjectIdentifier(Thread.current), fixture.folder.path)
        let (arrived, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let hasListed = Mutex(false)
        fixture.faulty.observe { _, operation in
            switch (ObjectIdentifier(Thread.current) == reader, operation) {
            case (true, .list): hasListed.withLock { $0 = true }
            case (true, .open):
                let isFirst = hasListed.withLock { hasListed in
                    defer { hasListed = false }
                    return hasListed
                }
                guard isFirst else { return }
                Thread.detachNewThread {
                    noting.end()
                    ended.signal()
                }
                arrived.wait()
            case (false, .lock):
                // It waits there for the reader.
                arrived.signal()
            case (false, .remove):
                // Without a lock the file would be gone by now.
                try? FileManager.default.removeItem(atPath: "\(folder)/\((try? self.records.first) ?? "")")
                arrived.signal()
            default: break
            }
        }

        #expect(try other.storedEvents(among: all) == ids(0..<3))
        ended.wait()
        #expect(try records == [])
    }
}
