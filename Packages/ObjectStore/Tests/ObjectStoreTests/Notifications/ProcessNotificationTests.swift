import Dispatch
import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// Needs processes that a test may start, which the systems of phones do not have.
#if os(Linux) || os(macOS)
@Suite("Notifications of another process")
struct ProcessNotificationTests {
    @Test("commits of another process are told without anything being called, with their places and old values")
    func foreignProcess() async throws {
        let place = try QueueRealm()
        try place.write { $0.add((1...3).map(Person.numbered)) }
        // The handler runs on the queue, and the test goes on as soon as it was told enough.
        let (updates, continuation) = AsyncStream.makeStream(of: String.self)
        let tokens = try place.run { realm in
            [
                realm.objects(Person.self).sorted(byKeyPath: "_id").observe { continuation.yield("\(Told($0))") },
                try #require(realm.objects(Person.self).first)
                    .observe { (change: ObjectChange<Person>) in
                        guard case .change(_, let properties) = change else { return }
                        for property in properties {
                            continuation.yield("\(property.oldValue ?? "") -> \(property.newValue ?? "")")
                        }
                    },
            ]
        }
        var told = updates.makeAsyncIterator()
        #expect(await told.next() == "initial 3")
        let folder = place.file.folder.path

        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let url = URL(fileURLWithPath: "\(folder)/test.realm")
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: url,
                    encryptionKey: TemporaryRealm.suiteKey,
                    objectTypes: Sample.types
                )
            )
            try realm.write { realm in
                realm.add(Person.numbered(0))
                realm.object(ofType: Person.self, forPrimaryKey: 1)?.name = "x"
                realm.delete(try #require(realm.object(ofType: Person.self, forPrimaryKey: 3)))
            }
        }

        #expect(await told.next() == "update 3 -[2] +[0] ~[0]")
        #expect(await told.next() == "Person 1 -> x")
        withExtendedLifetime(tokens) {}
    }
}
#endif
