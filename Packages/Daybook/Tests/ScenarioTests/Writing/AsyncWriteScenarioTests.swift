import Daybook
import Testing

@MainActor
@Suite("Asynchronous writes on the real store")
struct AsyncWriteScenarioTests {
    @Test("writes of both asynchronous forms are recorded when they are committed")
    func asyncWrites() async throws {
        let recorded = try RecordedRealm()
        let realm = recorded.realm

        let scope = recorded.events.beginScope(activity: "async")
        try await realm.asyncWrite { _ = realm.create(Target.self, value: ["_id": 1, "value": 10]) }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            realm.writeAsync(
                { realm.create(Target.self, value: ["_id": 2, "value": 20]) },
                onComplete: { error in
                    #expect(error == nil)
                    continuation.resume()
                }
            )
        }
        try await scope.commit()

        #expect(
            try recorded.lines() == [
                write("Target", insertions: Target.json(1)), write("Target", insertions: Target.json(2)),
            ]
        )
    }

    @Test("an asynchronous write that throws makes no event")
    func failed() async throws {
        struct Interruption: Error {}
        let recorded = try RecordedRealm()
        let realm = recorded.realm

        let scope = recorded.events.beginScope(activity: "async")
        await #expect(throws: Interruption.self) {
            try await realm.asyncWrite {
                realm.create(Target.self, value: ["_id": 1])
                throw Interruption()
            }
        }
        try await scope.commit()

        #expect(try recorded.stored().isEmpty)
    }
}
