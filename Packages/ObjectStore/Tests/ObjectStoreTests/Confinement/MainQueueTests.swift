import Dispatch
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

@Suite("A realm of the main queue")
struct MainQueueTests {
    @Test("it follows the main actor from thread to thread")
    @MainActor
    func mainActor() async throws {
        let place = try TemporaryRealm()
        let realm = try place.open()
        try realm.write { $0.add(Person(value: ["_id": 1, "name": "Anna"])) }
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))

        for _ in 0..<100 {
            // Whoever resumes the main actor may be another thread on Linux.
            await Task.detached { await Task.yield() }.value
            #expect(person.name == "Anna")
            #expect(try place.open() == realm)
        }
    }

    @Test("it is refused off the main queue")
    func elsewhere() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try await MainActor.run {
                    let place = try TemporaryRealm()
                    // SAFETY: nothing guards it: handing the realm to another thread is the mistake that must trap.
                    nonisolated(unsafe) let realm = try place.open()
                    let done = DispatchSemaphore(value: 0)
                    Thread {
                        _ = realm.isEmpty
                        done.signal()
                    }
                    .start()
                    done.wait()
                }
            }
        )
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("opened on another thread"))
    }
}
