import ChangeModel
import EventModel
import SyncServer

extension ChangeStoreConformance {
    private static let key = SyncSchema.Property(.int)
    private static let patient = SyncSchema.Class("Patient", key: "_id", properties: ["_id": key])
    private static let named = SyncSchema.Class(
        "Patient",
        key: "_id",
        properties: ["_id": key, "name": SyncSchema.Property(.string)]
    )
    private static let other = SyncSchema.Class(
        "Patient",
        key: "_id",
        properties: ["_id": key, "name": SyncSchema.Property(.int)]
    )
    private static let ward = SyncSchema.Class("Ward", key: "_id", properties: ["_id": key])

    func schemas() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let nothing = try await store.schema(of: "ward-app")
        rules.expect(nothing == nil, "an app has no schema before a device told one")
        await rules.expect(
            "a device that may not extend adds nothing",
            throws: .invalidSchemaChange([
                "The server has no class Patient.", "An administrator adds what is missing, or Development Mode does.",
            ])
        ) {
            try await store.admit(SyncSchema([Self.patient]), of: "ward-app", isExtending: false)
        }
        _ = try await store.admit(SyncSchema([Self.patient]), of: "ward-app", isExtending: true)
        let union = try await store.admit(SyncSchema([Self.named, Self.ward]), of: "ward-app", isExtending: true)
        rules.expect(union == SyncSchema([Self.named, Self.ward]), "a device that may adds classes and properties")
        let kept = try await store.schema(of: "ward-app")
        rules.expect(kept == union, "a schema is kept")
        let same = try await store.admit(SyncSchema([Self.patient]), of: "ward-app", isExtending: false)
        rules.expect(same == union, "a device that knows less is admitted, and changes nothing")
        await rules.expect(
            "what contradicts the schema is refused also where devices may extend it",
            throws: .invalidSchemaChange(["The property Patient.name is of type string, and not of type int."])
        ) {
            try await store.admit(SyncSchema([Self.other]), of: "ward-app", isExtending: true)
        }
        let (unchanged, apart) = (try await store.schema(of: "ward-app"), try await store.schema(of: "lab-app"))
        rules.expect(unchanged == union && apart == nil, "what is refused changes nothing, and apps have schemas apart")
        return rules.broken
    }
}
