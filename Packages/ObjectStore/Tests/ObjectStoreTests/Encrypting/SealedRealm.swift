import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// The classes of an encrypted realm, before and after a migration.
enum SealedModels {
    enum First {
        final class SecretNote: Object {
            @Persisted(primaryKey: true) var id: Int
            @Persisted(indexed: true) var words: String
            @Persisted var tags: List<String>

            override class func _realmObjectName() -> String? { "SecretNote" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
    }

    enum Second {
        final class SecretNote: Object {
            @Persisted(primaryKey: true) var id: Int
            @Persisted(indexed: true) var words: String
            @Persisted var tags: List<String>
            @Persisted var length: Int

            override class func _realmObjectName() -> String? { "SecretNote" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
    }
}

extension TemporaryRealm {
    /// A key that a number stands for.
    static func key(_ number: UInt8) -> Data { Data((0..<64).map { UInt8($0) &* 59 &+ number }) }

    /// Writes notes that all have a word which lies nowhere else.
    func writeNotes(_ numbers: Range<Int>) throws {
        let realm = try open()
        try realm.write { realm in
            for number in numbers {
                let note = SealedModels.First.SecretNote()
                note.id = number
                note.words = "Sentinel text \(number)"
                note.tags.append("Sentinel tag \(number % 7)")
                realm.add(note)
            }
        }
    }

    /// The numbers of all notes that a configuration finds.
    func notes(_ change: (inout Realm.Configuration) -> Void = { _ in }) throws -> [Int] {
        let realm = try open(change)
        return realm.objects(SealedModels.First.SecretNote.self).sorted(byKeyPath: "id").map(\.id)
    }

    /// The files of the folder in which a text lies in the clear.
    func findings(of texts: [String]) throws -> [String] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: folder.path)
            .filter { name in
                let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
                return texts.contains { bytes.range(of: Data($0.utf8)) != nil }
            }
    }
}
