import ChangeModel
import ChangeModelTesting
import EventModel
import SyncServer

extension ChangeStoreConformance {
    /// Posts an object of the class `Reading`.
    private static func post(_ number: Int64, _ document: ExactText? = nil) -> ChangeOperation {
        ChangeOperation(.sample(number, of: "Reading"), .post(document ?? ExactText(#"{"_id":"\#(number)"}"#)))
    }

    func posting() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var file = try await SampleRealmFile(in: store)
        var other = try await SampleRealmFile(in: store, user: "bb")
        var elsewhere = try await SampleRealmFile(boundTo: .sample("s_ward-2"), in: store)
        let person = ObjectAddress.sample()
        let note = ChangeOperation(.sample(1, of: "Note"), .post("{}"))
        let first = try file.upload([[Self.post(1), person.create(), Self.post(2)], [note, Self.post(3)]])
        let second = try other.upload([[Self.post(1, #"{"b":null, "a":"x"}"#)]])
        let foreign = try elsewhere.upload([[Self.post(9)]])
        let received = EventInstant(microseconds: 5_000_000)
        for _ in 0..<2 { _ = await store.take([first, second], in: .sample(), received: received) }
        _ = await store.take([foreign], in: .sample("s_ward-2"), received: received)

        let all = try await store.posted("Reading", in: .sample(), after: nil, maximumBytes: .max)
        rules.expect(
            all.map(\.document) == [#"{"_id":"1"}"#, #"{"_id":"2"}"#, #"{"_id":"3"}"#, #"{"b":null, "a":"x"}"#],
            "what is posted is there once, in order, as it was sent, and in no other realm"
        )
        rules.expect(all.map(\.user) == ["aa", "aa", "aa", "bb"], "what is posted has its user")
        rules.expect(all.map(\.file) == [1, 1, 1, 2], "what is posted has its file")
        rules.expect(
            all.allSatisfy { $0.received == received },
            "what is posted has the time at which it was taken first"
        )
        rules.expect(
            all.map(\.place) == [(1, 0), (1, 2), (2, 1), (3, 0)].map { PostedPlace(entry: $0.0, operation: $0.1) },
            "what is posted stands where its operation does"
        )
        let some = try await store.posted("Reading", in: .sample(), after: all.first?.place, maximumBytes: 22)
        rules.expect(some == Array(all.dropFirst().prefix(2)), "as much is read as fits")
        let one = try await store.posted("Reading", in: .sample(), after: some.last?.place, maximumBytes: 1)
        rules.expect(one == Array(all.suffix(1)), "one is read whatever fits")
        let none = try await store.posted("Reading", in: .sample(), after: all.last?.place, maximumBytes: .max)
        rules.expect(none.isEmpty, "behind the last one is none")
        let notes = try await store.posted("Note", in: .sample(), after: nil, maximumBytes: .max)
        rules.expect(notes.map(\.document) == ["{}"], "classes are apart")
        let status = try await store.status(of: .sample())
        rules.expect(status?.objects == 1, "what is posted is no object of the realm")
        rules.expect(status?.postedBytes == 33 + 2 + 19, "the bytes that are posted are counted")
        await rules.expect("a realm that is not there has nothing", throws: .unknownRealm) {
            try await store.posted("Reading", in: .sample("s_ward-9"), after: nil, maximumBytes: .max)
        }
        let refusing = try file.upload([[Self.post(4)]], base: 0) { _, _, _ in .schema }
        _ = await store.take([refusing], in: .sample(), received: received)
        let after = try await store.posted("Reading", in: .sample(), after: nil, maximumBytes: .max)
        rules.expect(after == all, "what is refused is not posted")
        return rules.broken
    }
}
