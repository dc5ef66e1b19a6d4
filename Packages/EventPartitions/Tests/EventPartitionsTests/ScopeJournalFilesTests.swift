import EventModel
import EventModelTesting
import EventPartitionsTesting
import Foundation
import Synchronization
import Testing

@testable import EventPartitions

@Suite("Scope journals in files")
struct ScopeJournalFilesTests {
    private let fixture: FilesFixture
    private let journals: ScopeJournalFiles

    init() throws {
        fixture = try FilesFixture()
        journals = ScopeJournalFiles(fixture.folder, fileSystem: fixture.faulty)
    }

    private func paths() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).filter { $0.hasSuffix(".journal") }
            .sorted()
            .map { "\(fixture.folder.path)/\($0)" }
    }

    @Test("they keep the rules of a store of journals")
    func conformance() throws {
        var fixtures: [FilesFixture] = []
        let kit = ScopeJournalConformance {
            fixtures.append(try FilesFixture())
            return ScopeJournalFiles(try #require(fixtures.last).folder)
        }

        #expect(kit.brokenRules() == [])
    }

    @Test("a journal is readable by its owner alone")
    func permissions() throws {
        let journal = try journals.begin()

        let path = try #require(try paths().first)
        #expect(path.hasSuffix("/\(journal.id.stringValue).journal"))
        #expect(try fixture.faulty.status(path)?.permissions == 0o600)
    }

    @Test("a file that was cut at any byte keeps every whole block in front of the cut, and takes more")
    func tornTail() throws {
        do {
            let journal = try journals.begin()
            for number in 1...3 { _ = try journal.append([UInt8](repeating: UInt8(number), count: 5)) }
        }
        let path = try #require(try paths().first)
        let whole = try #require(FileManager.default.contents(atPath: path))
        for cut in 24...whole.count {
            try whole.prefix(cut).write(to: URL(fileURLWithPath: path))
            let journal = try #require(try journals.leftBehind().first)

            let expected = (0..<((cut - 24) / 33)).map { [UInt8](repeating: UInt8($0 + 1), count: 5) }
            #expect(try journal.blocks().map(journal.read) == expected, "cut at \(cut)")
            _ = try journal.append([9])
            #expect(try journal.blocks().map(journal.read) == expected + [[9]], "cut at \(cut)")
        }
    }

    @Test("a file that ends within its first bytes is removed")
    func withoutPreamble() throws {
        do { _ = try journals.begin() }
        let path = try #require(try paths().first)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))

        #expect(try journals.leftBehind().isEmpty)
        #expect(try paths() == [])
    }

    /// Every call of a journal throws this error.
    private func reason(_ journal: any ScopeJournal) -> PartitionError? {
        let block = ScopeJournalBlock(offset: 24, byteCount: 1)
        let calls: [() throws -> Void] = [
            { _ = try journal.blocks() }, { _ = try journal.append([1]) }, { _ = try journal.read(block) },
            { try journal.erase(block) }, { try journal.remove() },
        ]
        let errors = calls.map { call -> PartitionError? in
            do {
                try call()
                return nil
            } catch {
                return error as? PartitionError
            }
        }
        return Set(errors.map { "\($0.map { "\($0)" } ?? "none")" }).count == 1 ? errors[0] : nil
    }

    @Test("a file that is no journal is left alone, says why, and keeps no other one from being taken over")
    func notAJournal() throws {
        do { for number in 1...2 { _ = try journals.begin().append([UInt8(number)]) } }
        let path = try #require(try paths().first)
        var bytes = try #require(FileManager.default.contents(atPath: path))
        bytes[7] = 2
        try bytes.write(to: URL(fileURLWithPath: path))

        let found = try journals.leftBehind()

        #expect(found.count == 2)
        guard case .damaged(path, 0..<24, _) = reason(found[0]) else {
            Issue.record("The reason is \(String(describing: reason(found[0]))).")
            return
        }
        #expect(try found[1].blocks().map(found[1].read) == [[2]])
        #expect(FileManager.default.contents(atPath: path) == bytes)
    }

    @Test("a journal of a newer version is left alone, and says which")
    func newerVersion() throws {
        do { _ = try journals.begin().append([1]) }
        let path = try #require(try paths().first)
        var bytes = try #require(FileManager.default.contents(atPath: path))
        bytes[7] = 9
        let checksum = Array(bytes[..<20]).withUnsafeBytes { CRC32C.checksum($0) }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(20..<24, with: $0) }
        try bytes.write(to: URL(fileURLWithPath: path))

        let found = try #require(try journals.leftBehind().first)

        #expect(reason(found) == .newerVersion(path: path, found: 9, known: 1))
        #expect(FileManager.default.contents(atPath: path) == bytes)
    }

    @Test("a bit that flips costs at most the block that it lies in")
    func flippedBits() throws {
        do {
            let journal = try journals.begin()
            for number in 1...3 { _ = try journal.append([UInt8](repeating: UInt8(number), count: 3)) }
        }
        let path = try #require(try paths().first)
        let whole = try #require(FileManager.default.contents(atPath: path))
        for index in 24..<whole.count {
            var bytes = whole
            bytes[index] ^= 1 << UInt8(index % 8)
            try bytes.write(to: URL(fileURLWithPath: path))
            let journal = try #require(try journals.leftBehind().first)

            let contents = try journal.blocks().map(journal.read)
            let hit = (index - 24) / 31
            #expect(contents == [0, 1, 2].filter { $0 != hit }.map { [UInt8](repeating: UInt8($0 + 1), count: 3) })
        }
    }

    @Test("an erased block is not in the file any more")
    func erased() throws {
        let journal = try journals.begin()
        let secret = try journal.append(Array("secret".utf8))
        _ = try journal.append(Array("public".utf8))

        try journal.erase(secret)

        let path = try #require(try paths().first)
        let bytes = try #require(FileManager.default.contents(atPath: path))
        #expect(bytes.range(of: Data("secret".utf8)) == nil)
        #expect(bytes.range(of: Data("public".utf8)) != nil)
    }

    @Test("a write that fails halfway throws, and the next block is written in its place")
    func fullDisk() throws {
        let journal = try journals.begin()
        _ = try journal.append([1])
        fixture.faulty.fail(.write, at: 1, with: .tornWrite(bytes: 10, code: 28))

        #expect(throws: PartitionError.self) { try journal.append([2]) }
        _ = try journal.append([3])

        #expect(try journal.blocks().map(journal.read) == [[1], [3]])
    }

    @Test("a journal that cannot be opened blocks no other one, and is tried again")
    func failedTakeOver() throws {
        do { for number in 1...2 { _ = try journals.begin().append([UInt8(number)]) } }
        // The first opening is that of the folder's lock.
        fixture.faulty.fail(.open, at: 2, with: .error(5))

        let found = try journals.leftBehind()
        let again = try journals.leftBehind()

        #expect(try found.map { try $0.blocks().map($0.read) } == [[[2]]])
        #expect(try again.map { try $0.blocks().map($0.read) } == [[[1]]])
        withExtendedLifetime(found) {}
    }

    @Test(
        "a journal that its process removes while others look for journals is nobody's",
        arguments: [FileSystemError.Operation.open, .lock]
    )
    func removedMeanwhile(operation: FileSystemError.Operation) throws {
        let owned = Mutex<(any ScopeJournal)?>(try ScopeJournalFiles(fixture.folder).begin())
        _ = try owned.withLock { try $0?.append([1]) }
        let calls = Mutex(0)
        fixture.faulty.observe { _, happening in
            guard happening == operation else { return }
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            // The first call is for the folder's lock.
            guard call == 2 else { return }
            owned.withLock { journal in
                do { try journal?.remove() } catch { Issue.record(error) }
                journal = nil
            }
        }

        #expect(try journals.leftBehind().isEmpty)
        #expect(try paths() == [])
    }

    @Test("a journal that cannot be begun leaves no file")
    func failedBeginning() throws {
        fixture.faulty.fail(.write, at: 1, with: .error(28))

        #expect(throws: PartitionError.self) { try journals.begin() }
        #expect(try paths() == [])
    }

    @Test("a journal takes no place among the partitions")
    func besidePartitions() throws {
        let files = try fixture.open()
        let journal = try journals.begin()
        _ = try journal.append([1])
        _ = try files.append([.sample(1)])

        #expect(try files.partitions().count == 1)
        #expect(try fixture.paths().count == 1)
    }
}
