import EventModel
import EventModelTesting
import EventPartitionsTesting
import Foundation
import Testing

@testable import EventPartitions

@Suite("Encrypted scope journals")
struct EncryptedJournalTests {
    private static let key = EventEncryptionKey.random()
    private let fixture: FilesFixture
    private let journals: ScopeJournalFiles

    init() throws {
        fixture = try FilesFixture()
        journals = ScopeJournalFiles(fixture.folder, encryptionKey: Self.key, fileSystem: fixture.faulty)
    }

    private func content() throws -> Data {
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
        let name = try #require(names.first { $0.hasSuffix(".journal") })
        return try #require(FileManager.default.contents(atPath: "\(fixture.folder.path)/\(name)"))
    }

    /// The salts of all blocks, in order.
    private func salts(_ journal: any ScopeJournal) throws -> [[UInt8]] {
        let content = try content()
        return try journal.blocks().map { Array(content[Int($0.offset) + 28..<Int($0.offset) + 44]) }
    }

    @Test("they keep the rules of a store of journals")
    func conformance() {
        var fixtures: [FilesFixture] = []
        let kit = ScopeJournalConformance {
            fixtures.append(try FilesFixture())
            return ScopeJournalFiles(try #require(fixtures.last).folder, encryptionKey: Self.key)
        }

        #expect(kit.brokenRules() == [])
    }

    @Test("nothing of a block is in the file, and the key reads it")
    func secrecy() throws {
        let secret = Array("the name of a patient, many times over".utf8)
        let journal = try journals.begin()
        let block = try journal.append(secret)

        #expect(try content().range(of: Data(secret)) == nil)
        #expect(try content().range(of: Data("patient".utf8)) == nil)
        #expect(try journal.read(block) == secret)
        #expect(block.byteCount == secret.count)
    }

    @Test("the same block is never written twice in the same way, and each opening has a salt of its own")
    func salts() throws {
        do {
            let journal = try journals.begin()
            for _ in 0..<3 { _ = try journal.append([7, 7, 7, 7, 7, 7, 7, 7]) }
        }
        let again = try #require(try journals.leftBehind().first)
        _ = try again.append([7, 7, 7, 7, 7, 7, 7, 7])

        let salts = try salts(again)
        #expect(salts.count == 4)
        #expect(Set(salts).count == 2)
        #expect(salts[0] == salts[2])
        #expect(salts[2] != salts[3])
        let content = try content()
        let sealed = try again.blocks().map { content[Int($0.offset) + 52..<Int($0.offset) + 60] }
        #expect(Set(sealed.map { Array($0) }).count == 4)
    }

    @Test("after a failed write another salt is used for the same place")
    func failedWrite() throws {
        let journal = try journals.begin()
        _ = try journal.append([1])
        fixture.faulty.fail(.write, at: 1, with: .tornWrite(bytes: 60, code: 28))
        #expect(throws: PartitionError.self) { try journal.append([2, 2]) }
        let torn = Array(try content()[24 + 69 + 28..<24 + 69 + 44])

        _ = try journal.append([3, 3])

        #expect(try journal.blocks().map(journal.read) == [[1], [3, 3]])
        #expect(try salts(journal)[1] != torn)
    }

    @Test("without the key, or with another one, a journal is left alone and says so")
    func otherKeys() throws {
        do { _ = try journals.begin().append(Array("secret".utf8)) }
        let before = try content()
        let rows: [(EventEncryptionKey?, String)] = [(nil, "encrypted"), (.random(), "another key")]
        for (key, words) in rows {
            let found = try #require(
                try ScopeJournalFiles(fixture.folder, encryptionKey: key).leftBehind().first
            )
            do {
                _ = try found.blocks()
                Issue.record("The blocks were found.")
            } catch {
                #expect("\(error)".contains(words))
            }
            #expect(throws: PartitionError.self) { try found.remove() }
        }

        #expect(try content() == before)
        #expect(try journals.leftBehind().first.map { try $0.blocks().map($0.read) } == [Array("secret".utf8)])
    }

    @Test("a journal that was written without a key is read with one, and goes on encrypted")
    func plainBefore() throws {
        do { _ = try ScopeJournalFiles(fixture.folder).begin().append(Array("plain".utf8)) }

        let journal = try #require(try journals.leftBehind().first)
        _ = try journal.append(Array("secret".utf8))

        #expect(try journal.blocks().map(journal.read) == [Array("plain".utf8), Array("secret".utf8)])
        #expect(try content().range(of: Data("secret".utf8)) == nil)
    }

    @Test("a bit that flips in an encrypted block is found, and costs that block alone")
    func flippedBits() throws {
        do {
            let journal = try journals.begin()
            for number in 1...2 { _ = try journal.append([UInt8(number)]) }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
        let path = "\(fixture.folder.path)/\(try #require(names.first { $0.hasSuffix(".journal") }))"
        let whole = try #require(FileManager.default.contents(atPath: path))
        for index in 24 + 69..<whole.count {
            var bytes = whole
            bytes[index] ^= 1 << UInt8(index % 8)
            try bytes.write(to: URL(fileURLWithPath: path))
            let journal = try #require(try journals.leftBehind().first)

            #expect(try journal.blocks().map(journal.read) == [[1]])
        }
    }

    @Test("an erased block leaves zeros, and the others stay")
    func erased() throws {
        let journal = try journals.begin()
        let first = try journal.append([1, 1])
        _ = try journal.append([2, 2])

        try journal.erase(first)

        let range = Int(first.offset) + 28..<Int(first.offset) + 28 + 2 + 40
        #expect(try content()[range].allSatisfy { $0 == 0 })
        #expect(try journal.blocks().map(journal.read) == [[2, 2]])
    }
}
