import ChangeModel
import ChangeModelTesting
import EventModel
import SyncServer

extension ChangeStoreConformance {
    private static let person = ObjectAddress.sample()

    private static func second(_ second: Int64) -> EventInstant { EventInstant(microseconds: second * 1_000_000) }

    /// Takes one change at each second that is given, and returns the file.
    private func fill(
        _ store: any ChangeStore,
        _ realm: RealmName = .sample(),
        at seconds: [Int64]
    ) async throws -> SampleRealmFile {
        var file = try await SampleRealmFile(boundTo: realm, in: store)
        for (index, second) in seconds.enumerated() {
            let operation = index == 0 ? Self.person.create(["n": 0]) : Self.person.set("n", .int(Int64(index)))
            let upload = try file.upload([[operation]], base: index)
            _ = await store.take([upload], in: realm, received: Self.second(second))
        }
        return file
    }

    func shortening() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        // The clock was set back before the fourth.
        let file = try await fill(store, at: [10, 11, 20, 12, 30])
        let history = file.bound.realm.history
        let before = try await store.status(of: .sample())
        let log = try await store.entries(of: .sample(), after: 0, history: history, maximumBytes: .max)
        let objects = try await store.objects(of: .sample(), after: nil, maximumBytes: .max)

        let none = try await store.shorten(.sample(), before: Self.second(10), limit: 9)
        rules.expect(none == ShortenedLog(floor: 0, entries: 0, bytes: 0, isDone: true), "younger entries stay")
        let one = try await store.shorten(.sample(), before: Self.second(15), limit: 1)
        rules.expect(one.floor == 1 && one.entries == 1 && !one.isDone, "as many entries go as are asked for")
        let two = try await store.shorten(.sample(), before: Self.second(15), limit: 9)
        rules.expect(
            two.floor == 2 && two.entries == 1 && two.isDone,
            "what lies behind a younger entry stays, however old it is"
        )
        let status = try await store.status(of: .sample())
        rules.expect(status?.floor == 2 && status?.head == 5, "the floor is the number up to which entries are gone")
        rules.expect(
            status?.logBytes == before.map { $0.logBytes - one.bytes - two.bytes } && one.bytes > 0,
            "the bytes of what is gone are counted no more"
        )
        rules.expect(
            status?.contentBytes == before?.contentBytes && status?.objects == before?.objects,
            "what is in a realm stays when its log goes"
        )
        let rest = try await store.entries(of: .sample(), after: 2, history: history, maximumBytes: .max)
        rules.expect(rest.entries == Array(log.entries.dropFirst(2)), "the entries behind the floor are as they were")
        for number in [-1, 0, 1] {
            await rules.expect("entries below the floor are too old", throws: .tooOld(floor: 2)) {
                try await store.entries(of: .sample(), after: number, history: history, maximumBytes: .max)
            }
        }
        let page = try await store.objects(of: .sample(), after: nil, maximumBytes: .max)
        rules.expect(page == objects, "a snapshot is what it was")
        await rules.expect("a realm that is not there has no log", throws: .unknownRealm) {
            try await store.shorten(.sample("s_ward-9"), before: .sample, limit: 1)
        }
        return rules.broken
    }

    func shortenedRealms() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let app: ExactText = "ward-app"
        for (value, second) in [("s_b", 10), ("s_a", 10), ("s_c", 30), ("s_d", 10)] as [(ExactText, Int64)] {
            _ = try await fill(store, .sample(value), at: [second, 40])
        }
        _ = try await fill(store, .sample("s_a", app: "other-app"), at: [10])
        _ = try await SampleRealmFile(boundTo: .sample("s_0"), in: store)
        _ = try await store.shorten(.sample("s_d"), before: Self.second(20), limit: 9)

        func realms(after value: ExactText? = nil, limit: Int = 9) async throws -> [ExactText] {
            try await store
                .realms(of: app, withEntriesBefore: Self.second(20), after: value, limit: limit)
                .map(\.value)
        }
        let count = try await store.entryCount(of: app)
        rules.expect(count == 8, "entries of all realms of the app are counted, also those that are gone")
        let all = try await realms()
        rules.expect(all == ["s_a", "s_b"], "the realms of the app are told whose oldest entry is that old, in order")
        let first = try await realms(limit: 1)
        let second = try await realms(after: "s_a", limit: 1)
        rules.expect(first == ["s_a"] && second == ["s_b"], "so many realms are told as are asked for")
        return rules.broken
    }

    /// What was shortened decides as what was not.
    func decidingBelowTheFloor() async throws -> [String] {
        let rules = Rules()
        let person = Self.person
        var contents: [[StoredObject]] = []
        for isShortened in [false, true] {
            let store = try await make()
            var away = try await SampleRealmFile(in: store, user: "bb", milliseconds: 1500)
            var file = try await fill(store, at: [1, 2, 3])
            let gone = try file.upload([[person.delete()], [person.create(["n": 5])]], base: 3)
            _ = await store.take([gone], in: .sample(), received: Self.second(4))
            let repeated = try away.upload([[ObjectAddress.sample(2).create(["n": 1])]])
            let first = await store.take([repeated], in: .sample(), received: Self.second(5))
            if isShortened {
                let step = try await store.shorten(.sample(), before: Self.second(9), limit: 99)
                rules.expect(step.floor == 6 && step.isDone, "all entries may go")
            }
            let again = await store.take([repeated], in: .sample(), received: Self.second(10))
            let known = rules.taken("what was taken is taken for ever", again.first)
            let once = rules.taken("an upload is taken", first.first)
            rules.expect(
                known?.acknowledged == 1 && known?.head == 6 && known?.entries == (isShortened ? [] : once?.entries),
                "what comes again is not taken again, and told as far as the log has it"
            )
            // Made when the first person was there, and at the newest position by a clock that is late.
            let late = try away.upload([Change.late(2, person.set("n", 7), base: 1, milliseconds: 5000)])
            let seen = try away.upload([Change.late(3, person.set("n", 8), base: 6, milliseconds: 10)])
            let outcomes = await store.take([late, seen], in: .sample(), received: Self.second(11))
            let entries = try outcomes.flatMap { outcome in
                try rules.taken("a file that was away is taken", outcome)?.entries.map { try Entry(bytes: $0.bytes) }
                    ?? []
            }
            rules.expect(entries.map(\.number) == [7, 8], "numbers go on behind the floor")
            rules.expect(entries.first?.results == [.refused(.deleted)], "a write to a former object is refused")
            rules.expect(entries.last?.results == [.asSent], "whoever saw a write writes after it")
            contents.append(try await store.objects(of: .sample(), after: nil, maximumBytes: .max).objects)
        }
        rules.expect(contents.first == contents.last, "a realm whose log was shortened decides as one that has it all")
        return rules.broken
    }
}

extension Change {
    fileprivate static func late(
        _ number: Int,
        _ operation: ChangeOperation,
        base: Int,
        milliseconds: Int64
    ) -> Change {
        Change(number: number, base: base, clock: HybridClock(milliseconds: milliseconds), operations: [operation])
    }
}
