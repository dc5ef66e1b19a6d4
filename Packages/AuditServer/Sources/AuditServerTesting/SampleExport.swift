package import AuditExport
package import AuditFormats
package import AuditModel
package import AuditVerifying
package import EventModel
package import EventModelTesting
package import EventProofs
package import Foundation
package import TimeStamping

/// An export of a store in memory, and what is needed to look into it.
package struct SampleExport {
    package static let hostile = "<script>alert(1)</script> \"quoted\", =1+1\u{0}\u{1B}[31m\r\nnext"

    package let folder: TestFolder
    package let store: any AuditStore
    /// The server's key: of its receipts, and the one that its other keys come from.
    package let key: SigningKey
    package let path: String
    /// The key of the log that the export has a checkpoint of.
    package let log: EdwardsNoteSigner

    /// A device with an event of every kind.
    package static func device(
        _ number: UInt32 = 1,
        isSealed: Bool = true,
        signing algorithm: DeviceKeyAlgorithm = .ed25519
    ) throws -> (SampleDevice, PartitionSeal?) {
        var device = SampleDevice(number, signing: algorithm)
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

    /// A witness whose cosignature an export can have.
    package static func witness(_ number: Int) throws -> EdwardsNoteSigner {
        try EdwardsNoteSigner(name: ExactText("witness.example/w\(number)"), algorithm: .cosignature)
    }

    /// Signs what the log of a store is, as the server publishes it.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - log: The key of the log.
    ///   - witnesses: Who cosigns it, a second later.
    ///   - size: How many entries it has; nil for all.
    /// - Returns: The checkpoint.
    /// - Throws: What the store throws.
    package static func checkpoint(
        of store: any AuditStore,
        by log: EdwardsNoteSigner,
        witnesses: [EdwardsNoteSigner] = [],
        size: UInt64? = nil
    ) async throws -> SignedCheckpoint {
        let (size, root) = try await store.withLog(durably: true) {
            (size ?? $0.count, try $0.root(at: size ?? $0.count))
        }
        let checkpoint = try Checkpoint(origin: log.verifierKey.name, size: size, root: root)
        let lines = try witnesses.map { witness in
            try checkpoint.cosigned(by: witness, at: EventInstant(microseconds: created.microseconds + 1_000_000))
        }
        return try SignedCheckpoint(checkpoint, signedBy: [log]).adding(lines)
    }

    /// When samples are exported.
    package static let created = EventInstant(microseconds: 1_800_000_000_000_000)

    /// Exports a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - filter: Which events.
    ///   - formats: As what; every format by default.
    ///   - key: The server's key; a new one by default.
    ///   - isSigned: Whether a server signs it; if not, it has no checkpoint either.
    ///   - witnesses: Who has cosigned the log.
    ///   - publishes: Whether the server publishes its log.
    ///   - published: What it published last; all of the log by default.
    ///   - stamps: What an authority of time has seen of it; nothing by default.
    ///   - revokedKeys: The keys that are not believed any more; none by default.
    /// - Throws: What the store and the files throw.
    package init(
        _ store: any AuditStore,
        filter: EventFilter = EventFilter(),
        formats: Set<ExportFormat> = Set(ExportFormat.allCases),
        key: SigningKey? = nil,
        isSigned: Bool = true,
        witnesses: [EdwardsNoteSigner] = [],
        publishes: Bool = true,
        published: SignedCheckpoint? = nil,
        stamps: (any StampedCheckpoints)? = nil,
        revokedKeys: [RevokedKey] = []
    ) async throws {
        self.store = store
        let key = try key ?? SigningKey(SigningKey.makeKey())
        self.key = key
        let log = try key.logSigner(origin: "log.example/ward")
        self.log = log
        let newest = try await Self.checkpoint(of: store, by: log, witnesses: witnesses)
        let published =
            isSigned && publishes ? PublishedLog(key: log.verifierKey, checkpoint: published ?? newest) : nil
        var schemas: [EventSchema] = []
        for app in try await store.collections() {
            schemas.append(EventSchema(app: app, metadataColumns: try await store.metadataColumns(of: app) ?? []))
        }
        let order = ExportOrder(
            formats: formats,
            filter: ["person": "ada"],
            columns: EventSchema.allColumns(of: schemas),
            created: Self.created,
            id: "0000000000000000000000ee",
            author: .init(role: "auditor", token: nil, apps: nil),
            reason: "an incident",
            log: published,
            revokedKeys: revokedKeys,
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
            log: published,
            stamps: stamps,
            created: Self.created
        )
        _ = try await ExportWriter(order, from: source, into: path).write { _ in }
    }

    /// The server's public key of exports.
    package var publicKey: [UInt8] { key.exportKey.publicKey }

    package func verified(
        key: [UInt8]? = nil,
        receiptKey: [UInt8]? = nil,
        policy: WitnessPolicy? = nil
    ) throws -> ExportVerification {
        var verification = ExportVerification(folder: path, key: key, receiptKey: receiptKey, policy: policy)
        try verification.run()
        return verification
    }

    package func verified(
        key: [UInt8]? = nil,
        policy: WitnessPolicy? = nil,
        trusting trust: TimeStampTrust
    ) async throws -> ExportVerification {
        var verification = ExportVerification(folder: path, key: key ?? publicKey, policy: policy)
        try await verification.run(trusting: trust)
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

    /// Changes files and manifest as the server could, which makes the cover and signs everything anew.
    ///
    /// - Parameters:
    ///   - signer: What signs; the server's key for the version that the manifest is of then by default.
    ///   - change: The change of the manifest.
    /// - Throws: What the change and the files throw.
    package func signAnew(by signer: SigningKey? = nil, _ change: (inout [String: Any]) throws -> Void) throws {
        let read = try JSONSerialization.jsonObject(with: bytes(ExportManifest.fileName))
        var manifest = read as? [String: Any] ?? [:]
        try change(&manifest)
        let signer = signer ?? (manifest["version"] as? Int ?? 0 > 3 ? key.exportKey : key)
        try sign(&manifest, by: signer)
        guard let cover = try verified().cover else { return }
        try write(Data(cover), to: ExportManifest.coverName)
        try sign(&manifest, by: signer)
    }

    private func sign(_ manifest: inout [String: Any], by signer: SigningKey) throws {
        let files = manifest["files"] as? [[String: Any]] ?? []
        manifest["files"] = try files.map { file in
            let digest = try FileDigest("\(path)/\(file["name"] as? String ?? "")")
            return file.merging(["bytes": digest.bytes, "sha256": digest.sha256.hex]) { $1 }
        }
        let bytes = try JSONSerialization.data(withJSONObject: manifest)
        try write(bytes, to: ExportManifest.fileName)
        try write(Data(EventLine.lines([signer.signed(manifest: Array(bytes))])), to: ExportSignature.fileName)
    }

    package func write(_ data: Data, to name: String) throws {
        try data.write(to: URL(filePath: "\(path)/\(name)"))
    }
}
