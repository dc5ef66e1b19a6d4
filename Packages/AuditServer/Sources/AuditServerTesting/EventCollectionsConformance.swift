import AuditModel
import EventModel

/// The contract of ``/AuditModel/EventCollections``: which apps have which columns, and who may add some.
struct EventCollectionsConformance: Sendable {
    private static let (ward, lab) = ("ward-app", "lab-app")

    let make: @Sendable () async throws -> any AuditStore

    /// Returns a sentence for each rule that the store breaks.
    func violations() async throws -> [String] {
        try await refusals() + creation() + tenancy() + limits() + columns()
    }

    private func recording(_ keys: [String], _ number: UInt32 = 1) throws -> SampleDevice {
        var device = SampleDevice(number)
        let values = Dictionary(keys.map { ($0, "x") }, uniquingKeysWith: { first, _ in first })
        device.record(device.event("a", metadata: try EventMetadata(values)))
        return device
    }

    private func refusals() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let device = try recording(["shift"])
        rules.expect(try await store.collections() == [], "an empty store has no collection")
        rules.expect(
            try await store.metadataColumns(of: Self.ward) == nil,
            "an app without a collection has no columns"
        )

        await rules.expect("an app without a collection is refused", .invalidSchemaChange) {
            try await store.accept(device.upload(1...1, extendsSchema: false))
        }
        var sealed = SampleDevice(2)
        let nothing = try sealed.seal()
        sealed.record(["plain"])
        let seal = try sealed.seal()
        await rules.expect("an app without a collection is refused also without metadata", .invalidSchemaChange) {
            try await store.accept(sealed.upload(1...1, seal: seal, extendsSchema: false))
        }
        rules.expect(nothing.count == 0, "a seal of nothing counts nothing")
        rules.expect(try await store.collections() == [], "a refused upload creates no collection")

        try await store.extendCollection(of: Self.ward, by: ["userId"])
        await rules.expect("an unknown column is refused", .invalidSchemaChange) {
            try await store.accept(device.upload(1...1, extendsSchema: false))
        }
        rules.expect(try await store.partition(device.partition) == nil, "nothing is stored of a refused stretch")
        rules.expect(
            try await store.metadataColumns(of: Self.ward) == ["userId"],
            "a refused upload adds no column"
        )
        try await store.extendCollection(of: Self.ward, by: ["shift"])
        let proof = try await store.accept(device.upload(1...1, extendsSchema: false))
        rules.expect(proof.durableThrough == 1, "what was refused is stored once the column is there")
        let again = try await store.accept(device.upload(1...1, extendsSchema: false))
        rules.expect(again == proof, "what is stored may come again")
        return rules.broken
    }

    private func creation() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        try await store.extendCollection(of: Self.ward, by: [])
        rules.expect(try await store.metadataColumns(of: Self.ward) == [], "a collection may have no columns")
        var plain = SampleDevice()
        plain.record(["a"])
        let proof = try await store.accept(plain.upload(1...1, extendsSchema: false))
        rules.expect(proof.durableThrough == 1, "a collection without columns takes events without metadata")

        try await store.extendCollection(of: Self.ward, by: ["userId", "shift", "userId"])
        try await store.extendCollection(of: Self.ward, by: ["shift", "ward"])
        rules.expect(
            try await store.metadataColumns(of: Self.ward) == ["userId", "shift", "ward"],
            "columns keep the order in which they were added, and come once"
        )
        return rules.broken
    }

    private func tenancy() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let (first, second) = (try recording(["userId", "shift"], 1), try recording(["shift", "sample"], 2))
        let owner = EventOwner(app: Self.lab, user: "1")
        _ = try await store.accept(first.upload(1...1))
        _ = try await store.accept(second.upload(1...1, owner: owner))

        rules.expect(try await store.collections() == [Self.lab, Self.ward], "apps are listed by their bytes")
        rules.expect(
            try await store.metadataColumns(of: Self.ward).map { Set($0) } == ["userId", "shift"],
            "a column of one app is none of another"
        )
        rules.expect(
            try await store.metadataColumns(of: Self.lab).map { Set($0) } == ["shift", "sample"],
            "apps may have columns of the same name"
        )
        let other = try recording(["sample"], 3)
        await rules.expect("a column of another app is an unknown one", .invalidSchemaChange) {
            try await store.accept(other.upload(1...1, extendsSchema: false))
        }
        let page = try await store.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1_000_000)
        rules.expect(
            page.events.compactMap(\.event) == first.events + second.events,
            "events of several apps come back with their own metadata"
        )
        return rules.broken
    }

    private func limits() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let most = (1...EventSchema.maximumMetadataColumns).map { "c\($0)" }
        try await store.extendCollection(of: Self.ward, by: most)
        await rules.expect("a collection has a limited number of columns", .invalidSchemaChange) {
            try await store.extendCollection(of: Self.ward, by: ["one", "more"])
        }
        let device = try recording(["more"])
        await rules.expect("an upload adds no column beyond the limit", .invalidSchemaChange) {
            try await store.accept(device.upload(1...1))
        }
        try await store.extendCollection(of: Self.ward, by: ["c1"])
        rules.expect(try await store.metadataColumns(of: Self.ward) == most, "a refused column changes nothing")
        let (eager, lab) = (try recording(["a", "b", "c"], 2), EventOwner(app: Self.lab, user: "nurse"))
        await rules.expect("an upload adds no column beyond its own limit", .invalidSchemaChange) {
            try await store.accept(eager.upload(1...1, owner: lab, columnLimit: 2))
        }
        rules.expect(try await store.metadataColumns(of: Self.lab) == nil, "an upload that is refused makes nothing")
        try await store.extendCollection(of: Self.lab, by: ["one", "more"])
        rules.expect(try await store.metadataColumns(of: Self.lab) == ["one", "more"], "each app has its own limit")
        return rules.broken
    }

    private func columns() async throws -> [String] {
        let rules = Rules()
        var device = SampleDevice()
        device.record(
            device.event("a", metadata: try EventMetadata(["userId": "1", "USERID": "2", "drop\"; --": "3"]))
        )
        device.record(device.event("b", event: nil, data: nil, metadata: try EventMetadata(["userId": ""])))
        device.record(
            device.event("zero \u{0} byte", event: "", data: "", metadata: try EventMetadata(["a\"b'c": "\u{0}"]))
        )

        let open = try await make()
        _ = try await open.accept(device.upload(1...3))
        let columns = try await open.metadataColumns(of: SampleDevice.owner.app)
        rules.expect(
            columns.map { Set($0) } == ["userId", "USERID", "drop\"; --", "a\"b'c"],
            "a column is added for each key, whatever its text"
        )
        let page = try await open.events(EventFilter(), after: nil, limit: 10, maximumBytes: 1_000_000)
        rules.expect(page.events.compactMap(\.event) == device.events, "metadata comes back as it was, also when empty")
        return rules.broken
    }
}
