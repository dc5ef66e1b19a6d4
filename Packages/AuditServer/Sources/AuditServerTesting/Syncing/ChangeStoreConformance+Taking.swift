import ChangeModel
import ChangeModelTesting
import EventModel
import SyncServer

extension ChangeStoreConformance {
    private static let person = ObjectAddress.sample()

    func taking() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var file = try await SampleRealmFile(in: store)
        var other = try await SampleRealmFile(in: store, user: "bb")
        let person = Self.person
        let first = try file.upload([[person.create(["name": "a"])], [person.set("name", "b")]])
        let outcomes = await store.take([first], in: .sample(), received: .sample)
        guard let taken = rules.taken("an upload is taken", outcomes.first) else { return rules.broken }
        rules.expect(taken.acknowledged == 2 && taken.head == 2, "what is taken is acknowledged and counted")
        rules.expect(taken.entries.map(\.number) == [1, 2], "entries are numbered from 1, each once")

        let second = try file.upload([[person.set("name", "c")]])
        let foreign = try other.upload([[person.set("name", "x")], [person.create()]], base: 2)
        let both = await store.take([second, foreign], in: .sample(), received: .sample)
        let numbers = both.flatMap { rules.taken("several uploads are taken", $0)?.entries.map(\.number) ?? [] }
        rules.expect(numbers == [3, 4, 5], "the entries of several uploads follow one another")

        let history = file.bound.realm.history
        let log = try await store.entries(of: .sample(), after: 0, history: history, maximumBytes: .max)
        rules.expect(log.entries.map(\.number) == [1, 2, 3, 4, 5], "the log has every entry once, in order")
        rules.expect(Array(log.entries.prefix(2)) == taken.entries, "the log has the entries that were told")
        let entries = try log.entries.map { try Entry(bytes: $0.bytes) }
        rules.expect(entries.map(\.number) == log.entries.map(\.number), "an entry says its own number")
        rules.expect(
            entries.map(\.change.file) == [1, 1, 1, 2, 2] && entries.map(\.change.number) == [1, 2, 3, 1, 2],
            "an entry says which change of which file it is"
        )
        rules.expect(entries.map(\.user) == [1, 1, 1, 2, 2], "users are numbered from 1 in each realm")
        let digests = first.digests + second.digests + foreign.digests
        rules.expect(entries.map(\.digest) == digests, "an entry has the digest of its change")
        let status = try await store.status(of: .sample())
        rules.expect(status?.head == 5, "the head is the number of the newest entry")
        rules.expect(status?.objects == 1, "living objects are counted")
        rules.expect((status?.contentBytes ?? 0) > 0 && (status?.logBytes ?? 0) > 0, "bytes are counted")

        let deleting = try file.upload([[person.delete()]], base: 5)
        _ = await store.take([deleting], in: .sample(), received: .sample)
        let after = try await store.status(of: .sample())
        rules.expect(after?.objects == 0, "a deleted object is not counted")
        return rules.broken
    }

    func refusing() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var file = try await SampleRealmFile(in: store)
        var other = try await SampleRealmFile(in: store, user: "bb")
        let person = Self.person
        let first = try file.upload([[person.create(["name": "a"])]])
        _ = await store.take([first], in: .sample(), received: .sample)
        let twin = file
        var uploads: [(String, ChangeUpload, SyncServerError)] = []

        var forger = twin
        let skipped = [Change.sample(number: 3, base: 1, milliseconds: 5000)]
        uploads.append(("a gap is refused", try forger.upload(skipped), .gap(expected: 2)))
        forger = twin
        uploads.append(("no changes are refused", try forger.upload([Change]()), .empty))
        forger = twin
        let ahead = try forger.upload([[person.set("name", "z")]], base: 7)
        uploads.append(("a position that is not there yet is refused", ahead, .impossibleBase(change: 2)))
        forger = twin
        let unchained = try forger.upload([[person.set("name", "y")]], base: 1)
        forger = twin
        _ = try forger.upload([[person.set("name", "x")]], base: 1)
        let broken = try forger.upload([Change.sample(number: 2, base: 1, milliseconds: 6000)])
        uploads.append(("a broken chain is refused", broken, .forged))
        let foreign = try ChangeUpload(unchained.batch, user: "bb")
        uploads.append(("somebody else's file is refused", foreign, .foreignFile))
        let stolen = try other.signed(ChangeBatch(file: 1, changes: [Change.sample(number: 2, base: 1)]))
        uploads.append(("another device's signature is refused", try ChangeUpload(stolen, user: "aa"), .forged))
        let unknown = try other.signed(ChangeBatch(file: 9, changes: [Change.sample()]))
        uploads.append(("a file that was never bound is refused", try ChangeUpload(unknown, user: "bb"), .unknownFile))

        for (rule, upload, error) in uploads {
            let outcomes = await store.take([upload], in: .sample(), received: .sample)
            rules.expect(outcomes == [.failure(error)], rule)
        }
        let good = try other.upload([[person.set("name", "b")]], base: 1)
        let mixed = await store.take(uploads.map(\.1) + [good], in: .sample(), received: .sample)
        let reasons: [Result<TakenChanges, SyncServerError>] = uploads.map { .failure($0.2) }
        rules.expect(Array(mixed.dropLast()) == reasons, "each upload is refused for its own reason")
        let taken = rules.taken("a refused upload hinders no other", mixed.last)
        rules.expect(taken?.entries.map(\.number) == [2], "a refused upload takes no number")
        let elsewhere = await store.take([unchained], in: .sample("s_ward-9"), received: .sample)
        rules.expect(elsewhere == [.failure(.unknownFile)], "a realm that is not there has no files")
        let more = try file.upload([[person.set("name", "c")]], base: 2)
        let goesOn = await store.take([more], in: .sample(), received: .sample)
        _ = rules.taken("a file goes on after somebody forged its changes", goesOn.first)
        return rules.broken
    }

    func repeating() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var file = try await SampleRealmFile(in: store)
        let person = Self.person
        let before = file
        let commits = [[person.create(["name": "a"])], [person.set("name", "b")]]
        let upload = try file.upload(commits)
        let now = EventInstant(microseconds: 0)
        let first = await store.take([upload], in: .sample(), received: now)
        let again = await store.take([upload], in: .sample(), received: .sample)
        rules.expect(first == again, "an upload whose answer was lost is answered as before")
        let lowered = rules.taken("an upload is taken", first.first)?.lowered
        rules.expect(lowered?.map(\.change) == [], "times that are not in the future are kept")
        let both = await store.take([upload, upload], in: .sample(), received: .sample)
        rules.expect(both == again + again, "an upload that comes twice at once is taken once")

        file = before
        let longer = try file.upload(commits + [[person.set("n", 1)]])
        let overlapping = await store.take([longer], in: .sample(), received: now)
        let grown = rules.taken("an upload that overlaps what was taken is taken", overlapping.first)
        rules.expect(grown?.acknowledged == 3 && grown?.entries.count == 3, "what is new in an upload is taken")
        let known = rules.taken("an upload is taken", again.first)?.entries
        rules.expect(grown?.entries.dropLast() == known?[...], "what was taken before keeps its entries")

        file.milliseconds = 1_000_000_000
        let late = try file.upload([[person.set("name", "c")], [person.set("name", "d")]], base: 2)
        let future = await store.take([late], in: .sample(), received: now)
        let told = rules.taken("an upload is taken", future.first)?.lowered
        rules.expect(told?.map(\.change) == [4, 5], "times in the future are lowered and told")
        let repeated = await store.take([late], in: .sample(), received: .sample)
        rules.expect(repeated == future, "lowered times are told again")

        var forger = before
        forger.milliseconds += 5
        let conflicting = try forger.upload([[person.create(["name": "z"])]])
        let conflict = await store.take([conflicting], in: .sample(), received: .sample)
        rules.expect(conflict == [.failure(.conflict(change: 1))], "other bytes under a number are a conflict")
        let history = file.bound.realm.history
        let log = try await store.entries(of: .sample(), after: 0, history: history, maximumBytes: .max)
        rules.expect(log.entries.map(\.number) == [1, 2, 3, 4, 5], "what comes again is not taken again")
        return rules.broken
    }
}
