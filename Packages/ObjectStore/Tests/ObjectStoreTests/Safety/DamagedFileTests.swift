import EventModelTesting
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("Damaged files give an error or the right objects, and never end the process")
struct DamagedFileTests {
    private let realm: DamagedRealm
    private let pageSize = 4096

    // Filled once, because there are many cases.
    private static let filled = Result { try DamagedRealm() }

    init() throws { realm = try Self.filled.get() }

    @Test("a file that was cut off is refused, at the end of a page and within one")
    func truncated() throws {
        var generator = SeededGenerator(seed: 1)
        let pages = realm.file.count / pageSize
        #expect(pages > 15)
        let ends = (1..<pages).map { $0 * pageSize }
        let within = (0..<20).map { _ in 1 + generator.below(realm.file.count - 1) }
        for count in ends + within {
            let outcome = try DamagedRealm.outcome(realm.file.prefix(count))

            #expect(outcome.error?.code == .invalidDatabase, "\(count) bytes: \(outcome)")
        }
    }

    @Test("a cycle of objects that was added is let go of with its realm")
    func cycle() throws {
        let folder = try TemporaryRealm()
        let path = RealmFile.canonicalPath(try #require(folder.configuration.fileURL))
        do {
            let realm = try folder.open()
            let node = Node(value: ["id": "a"])
            node.next = Node(value: ["id": "b"])
            node.next?.next = node
            try realm.write { realm.add(node) }
            #expect(node.next?.next?.id == "a")
        }
        #expect(!FileCoordinator.isOpen(path: path))
    }

    @Test("an empty file is a realm whose creation was interrupted: it becomes an empty one, but not read-only")
    func empty() throws {
        #expect(try DamagedRealm.outcome(Data()).contents == [])
        let file = try TemporaryRealm()
        try Data().write(to: try #require(file.configuration.fileURL))
        let error = #expect(throws: Realm.Error.self) { try file.open { $0.readOnly = true } }
        #expect(error?.code == .invalidDatabase)
    }

    @Test("a byte of the header that was changed is refused with a sentence, or does not matter", arguments: 0..<100)
    func header(position: Int) throws {
        for pattern: UInt8 in [0xFF, 0x01] {
            var file = realm.file
            file[position] ^= pattern

            let outcome = try DamagedRealm.outcome(file)

            if let error = outcome.error {
                let codes: [Realm.Error.Code] = [.invalidDatabase, .filePermissionDenied]
                #expect(codes.contains(error.code), "byte \(position): \(error) \(error.details)")
                #expect(error.fileURL != nil)
            } else {
                let isSame = outcome.contents == realm.contents
                #expect(isSame, "byte \(position)")
            }
        }
    }

    @Test("changed bytes anywhere are an error, or change at most what the bytes were", arguments: 0..<20)
    func anywhere(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<4 {
            let file = damaged(&generator)
            let outcome = try DamagedRealm.outcome(file)

            if let error = outcome.error {
                // A name that was changed inside of the stored schema makes it the schema of other classes.
                let codes: [Realm.Error.Code] = [.invalidDatabase, .schemaMismatch]
                #expect(codes.contains(error.code), "seed \(seed): \(error) \(error.details)")
            }
        }
    }

    @Test("with the check of the file, what is indexed is right or the file is refused", arguments: 20..<40)
    func verified(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let ids = try DamagedRealm.outcome(realm.file, verifies: true, Self.ids).contents
        #expect(ids?.isEmpty == false)
        for _ in 0..<4 {
            let outcome = try DamagedRealm.outcome(damaged(&generator), verifies: true, Self.ids)

            if let error = outcome.error {
                #expect(error.code == .invalidDatabase, "seed \(seed): \(error) \(error.details)")
            } else {
                #expect(outcome.contents == ids, "seed \(seed)")
            }
        }
    }

    private static func ids(_ realm: Realm) -> [String] {
        realm.objects(Person.self).map { "\($0._id)" }
    }

    /// The file with a few bytes changed, behind its header.
    private func damaged(_ generator: inout SeededGenerator) -> Data {
        var file = realm.file
        let position = 100 + generator.below(file.count - 200)
        for offset in 0...generator.below(8) { file[position + offset] ^= UInt8(1 + generator.below(255)) }
        return file
    }

    @Test("a whole page of zeros or noise is an error as soon as it is read", arguments: [false, true])
    func page(isNoise: Bool) throws {
        var generator = SeededGenerator(seed: 3)
        for page in 1..<(realm.file.count / pageSize) {
            var file = realm.file
            let bytes = (0..<pageSize).map { _ in isNoise ? UInt8(generator.below(256)) : 0 }
            file.replaceSubrange((page * pageSize)..<((page + 1) * pageSize), with: bytes)

            let outcome = try DamagedRealm.outcome(file, verifies: true)

            // Pages that are free have no contents that could be damaged.
            let isSame = outcome.contents.map { $0 == realm.contents } ?? true
            #expect(isSame, "page \(page)")
        }
    }
}
