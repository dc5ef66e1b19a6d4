import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

#if os(Linux) || os(macOS)
/// Needs processes that a test may start, which the systems of phones do not have.
@Suite("The locks of a file that several instances share")
struct LockTests {
    @Test("opening a second instance keeps the first one's hold on the file against other processes")
    func hold() async throws {
        let place = try QueueRealm()
        try place.write { $0.add(Person.numbered(1)) }
        // Another instance of this process: it must not give back what the first one locked.
        let other = try QueueRealm(place.file)
        try other.write { $0.add(Person.numbered(2)) }
        let folder = place.file.folder.path

        await #expect(processExitsWith: .success) { [folder = folder as String] in
            try addPerson(3, in: folder)
        }
        try place.write { $0.add(Person.numbered(4)) }

        #expect(FileManager.default.fileExists(atPath: "\(folder)/test.realm-wal"))
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            try addPerson(5, in: folder)
            let count = try Realm(configuration: configuration(folder)).objects(Person.self).count
            #expect(count == 5)
        }
    }
}

private func configuration(_ folder: String) -> Realm.Configuration {
    Realm.Configuration(
        fileURL: URL(fileURLWithPath: "\(folder)/test.realm"),
        encryptionKey: TemporaryRealm.suiteKey,
        objectTypes: Sample.types
    )
}

/// Opens the file, writes and closes it, as a process of its own.
private func addPerson(_ number: Int, in folder: String) throws {
    let realm = try Realm(configuration: configuration(folder))
    try realm.write { $0.add(Person.numbered(number)) }
}
#endif
