import AuditExport
package import AuditFormats
package import AuditModel
package import AuditVerifying
package import EventModel
package import EventModelTesting
package import EventProofs
package import Foundation

/// An export of a store in memory, and what is needed to look into it.
package struct SampleExport {
    package static let hostile = "<script>alert(1)</script> \"quoted\", =1+1\u{0}\u{1B}[31m\r\nnext"

    package let folder: TestFolder
    package let store: any AuditStore
    package let key: SigningKey
    package let path: String

    /// A device with an event of every kind.
    package static func device(_ number: UInt32 = 1, isSealed: Bool = true) throws -> (SampleDevice, PartitionSeal?) {
        var device = SampleDevice(number)
        let metadata = try EventMetadata(["userId": "ada", "note": hostile, "reason": "emergency"])
        func record(_ activity: String, _ event: String?, _ data: String?, _ metadata: EventMetadata = .empty) {
            device.record(device.event(activity, event: event, data: data, metadata: metadata))
        }
        record("Open chart", "read", #"{"type":"Patient","value":[{"_id":"p1","name":"Anna"}]}"#, metadata)
        record("List", "read", #"{"type":"Patient","value":[{"_id":"p1"},{"_id":"p2"}]}"#)
        record("Search without result", "read", #"{"type":"Patient","value":[]}"#)
        record("Admit", "write", #"{"Patient":{"insertions":[{"_id":"p3"}]}}"#)
        record(
            "Correct",
            "write",
            #"{"Patient":{"modifications":[{"newValue":{"name":"Anne"},"oldValue":{"_id":"p1","name":"Anna"}}]}}"#
        )
        record("Discharge", "write", #"{"Patient":{"deletions":[{"_id":"p3"}]}}"#)
        record("Move", "write", #"{"Bed":{"insertions":[{"_id":1}]},"Patient":{"deletions":[{"_id":"p2"}]}}"#)
        record("=cmd|' /C calc'!A0", hostile, hostile, metadata)
        record("Plain", nil, nil)
        return (device, isSealed ? try device.seal() : nil)
    }

    /// A store with two devices; the partition of the first is sealed.
    package static func store() async throws -> InMemoryEventStore {
        let store = InMemoryEventStore()
        let (first, seal) = try device(1)
        let (second, _) = try device(2, isSealed: false)
        _ = try await store.accept(first.upload(1...first.events.count, seal: seal))
        _ = try await store.accept(second.upload(1...second.events.count))
        return store
    }

    /// Exports a store.
    package init(
        _ store: any AuditStore,
        filter: EventFilter = EventFilter(),
        formats: Set<ExportFormat> = Set(ExportFormat.allCases),
        key: SigningKey? = nil,
        isSigned: Bool = true
    ) async throws {
        self.store = store
        let key = try key ?? SigningKey(SigningKey.makeKey())
        self.key = key
        let now = EventInstant(microseconds: 1_800_000_000_000_000)
        let (size, root) = try await store.withLog(durably: true) { ($0.count, try $0.root(at: $0.count)) }
        let head = try key.head(size: size, root: root, at: now)
        var schemas: [EventSchema] = []
        for app in try await store.collections() {
            schemas.append(EventSchema(app: app, metadataColumns: try await store.metadataColumns(of: app) ?? []))
        }
        let order = ExportOrder(
            formats: formats,
            filter: ["person": "ada"],
            columns: EventSchema.allColumns(of: schemas),
            created: now,
            id: "0000000000000000000000ee",
            author: .init(role: "auditor", token: nil, apps: nil),
            reason: "an incident",
            treeHead: head,
            key: isSigned ? key : nil
        )
        folder = try TestFolder.made()
        path = folder.file("export")
        try PrivateFile.makeFolder(path)
        let source = StoreExportSource(
            events: store,
            proofs: store,
            filter: filter,
            key: key,
            treeHead: head,
            created: now
        )
        _ = try await ExportWriter(order, from: source, into: path).write { _ in }
    }

    package func verified(key: [UInt8]? = nil, keptHead: TreeHead? = nil) throws -> ExportVerification {
        var verification = ExportVerification(folder: path, key: key, keptHead: keptHead)
        try verification.run()
        return verification
    }

    package func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(path)/\(name)")) }

    package func lines(_ name: String) throws -> [String] {
        String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    package func objects(_ name: String) throws -> [[String: Any]] {
        try bytes(name).split(separator: 0x0A)
            .map { try JSONSerialization.jsonObject(with: $0) as? [String: Any] ?? [:] }
    }

    package func write(_ data: Data, to name: String) throws {
        try data.write(to: URL(filePath: "\(path)/\(name)"))
    }
}
