import AuditModel
import EventModel
import EventProofs

/// The contract of ``/AuditModel/EventKeeping``: what a hold keeps, and what an erasure takes and leaves.
struct EventKeepingConformance: Sendable {
    let make: @Sendable () async throws -> any AuditStore

    private let act = LegalHold.Act(by: "somebody", at: SampleDevice.received, reason: "why")

    func violations() async throws -> [String] {
        var violations: [String] = []
        violations += try await holds()
        violations += try await erasing()
        violations += try await holding()
        violations += try await records()
        return violations
    }

    private func everything(_ store: any AuditStore) async throws -> [StoredEvent] {
        let filter = EventFilter(includesRepeated: true)
        return try await store.events(filter, after: nil, limit: 100, maximumBytes: 1_000_000).events
    }

    private func order(_ filter: KeepingFilter = KeepingFilter(activity: "b")) -> ErasureOrder {
        ErasureOrder(kind: .request, begun: act, filter: filter)
    }

    private func places(_ device: SampleDevice, _ sequences: [UInt64]) -> [EventAddress] {
        sequences.map { EventAddress(partition: device.partition, sequence: $0) }
    }

    // MARK: - Holds

    private func holds() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let filter = KeepingFilter(app: "ward-app", person: "n1", objectClass: "Patient", since: SampleDevice.received)
        let first = try await store.placeHold("case 1", on: filter, act)
        let second = try await store.placeHold("case 2", on: KeepingFilter(prefix: "ward"), act)
        rules.expect(first.number < second.number, "holds are numbered in their order")
        rules.expect(try await store.holds() == [first, second], "holds come back as they were placed")
        let end = LegalHold.Act(by: "another", at: SampleDevice.received, reason: "settled")
        let lifted = try await store.liftHold(first.number, end)
        rules.expect(lifted?.lifted == end && lifted?.placed == act, "a lifted hold says who lifted it and why")
        rules.expect(try await store.liftHold(first.number, end) == nil, "a hold is lifted once")
        rules.expect(try await store.liftHold(99, end) == nil, "a hold that was never placed is not lifted")
        rules.expect(try await store.holds().map(\.lifted) == [end, nil], "a lifted hold stays in the list")
        return rules.broken
    }

    // MARK: - Erasing

    private func erasing() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var device = SampleDevice()
        device.record(device.event("a", data: "alpha", metadata: try EventMetadata(["userId": "n1"])))
        device.record(device.event("b", data: "beta", metadata: try EventMetadata(["userId": "n2"])))
        device.record(device.event("c", event: nil, data: nil))
        device.record(["d", "e"])
        _ = try await store.accept(device.upload(1...2))
        let upload = try device.upload(3...5, seal: device.seal())
        let proof = try await store.accept(upload)
        let before = try await everything(store)

        let erasure = try await store.begin(order()).number
        let step = try await store.erase(places(device, [2, 3, 5, 9]), for: erasure)
        rules.expect(step.erased == 3, "a step counts what it erased, and places without an event do not count")
        let after = try await everything(store)
        rules.expect(after.map { $0.event == nil } == [false, true, true, false, true], "what is erased says nothing")
        rules.expect(
            after.map(\.erasure) == [nil, erasure, erasure, nil, erasure],
            "an erased event names its erasure"
        )
        rules.expect(after.map(\.outcome)[1] == .erased, "an erased event is not a damaged one")
        rules.expect(after.map(\.leaf) == before.map(\.leaf), "the hashes of erased events stay")
        rules.expect(
            after.map(\.received) == before.map(\.received) && after.map(\.owner) == before.map(\.owner),
            "who sent an erased event, and when, stays"
        )
        rules.expect(after[0].event == device.events[0] && after[3].event == device.events[3], "the others stay")
        let again = try await store.erase(places(device, [1, 2]), for: erasure)
        rules.expect(again.erased == 1, "an event is erased once")
        let record = try await store.finish(erasure)
        let ranges = try await store.ranges(of: erasure)
        rules.expect(
            ranges.ranges.map { [$0.first, $0.last] } == [[1, 3], [5, 5]],
            "an erasure knows which events it took"
        )
        rules.expect(
            record.result == ranges.result && record.result?.events == 4,
            "a record has the hash of the ranges"
        )
        rules.expect(
            try await store.accept(upload) == proof,
            "a device that sends again what was erased gets its proof"
        )
        rules.expect(
            try await everything(store).map(\.event) == [nil, nil, nil, device.events[3], nil],
            "and undoes nothing"
        )
        let leaves = try await store.leaves(of: device.partition, 1...5)
        rules.expect(MerkleTree(leaves: leaves).root == proof.root, "the root holds")
        let filtered = try await store.events(EventFilter(activity: "d"), after: nil, limit: 9, maximumBytes: 1000)
        rules.expect(filtered.events.map(\.sequence) == [4], "an erased event fits no filter of what events say")
        return rules.broken
    }

    // MARK: - Holding

    private func holding() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var device = SampleDevice()
        device.record(["a", "b"])
        var ours = SampleDevice(2)
        ours.record(["b"])
        _ = try await store.accept(device.upload(1...2))
        _ = try await store.accept(ours.upload(1...1, owner: EventOwner(app: "daybook/auditors", user: "0")))
        let hold = try await store.placeHold("case", on: KeepingFilter(activity: "b"), act)
        let erasure = try await store.begin(order()).number

        let step = try await store.erase(places(device, [1, 2]) + places(ours, [1]), for: erasure)
        rules.expect(step.erased == 1 && step.held == ["case": 1], "what a hold keeps is not erased, and named")
        _ = try await store.liftHold(hold.number, act)
        let rest = try await store.erase(places(device, [1, 2]) + places(ours, [1]), for: erasure)
        rules.expect(rest.erased == 1 && rest.held.isEmpty, "a lifted hold keeps nothing")
        rules.expect(
            try await store.events(at: places(ours, [1])).first?.event == ours.events[0],
            "records of the server are never erased"
        )
        return rules.broken
    }

    // MARK: - Records

    private func records() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let filter = KeepingFilter(app: "ward-app", objectClass: "Patient", objectKey: "p1", prefix: "w")
        let first = try await store.begin(order(filter))
        let second = try await store.begin(ErasureOrder(kind: .retention, begun: act, filter: filter))
        rules.expect(
            try await store.erasures(after: 0, limit: 9) == [first, second],
            "erasures come back in their order"
        )
        let ended = try await store.finish(first.number)
        rules.expect(ended.result?.events == 0, "an erasure may find nothing")
        rules.expect(try await store.finish(first.number) == ended, "an erasure ends once")
        rules.expect(try await store.erasures(after: 0, limit: 1) == [ended], "a page of erasures has a limit")
        rules.expect(try await store.erasures(after: first.number, limit: 9) == [second], "and starts behind a number")
        await rules.expect("an erasure that has ended erases nothing", .unavailable) {
            _ = try await store.erase([], for: first.number)
        }
        return rules.broken
    }
}
