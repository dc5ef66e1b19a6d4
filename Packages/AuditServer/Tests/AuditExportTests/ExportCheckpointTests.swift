import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import AuditFormats
@testable import AuditModel
@testable import AuditVerifying

@Suite("The checkpoint in an export")
struct ExportCheckpointTests {
    private let witnesses: [EdwardsNoteSigner]
    private let store: InMemoryEventStore

    init() async throws {
        witnesses = try (1...3).map { try SampleExport.witness($0) }
        store = try await SampleExport.store()
        // More of the log than the export shows.
        try await store.acceptSealed(5...9)
    }

    private func export(by cosigners: Range<Int> = 0..<2) async throws -> SampleExport {
        try await SampleExport(store, formats: [.jsonl], witnesses: Array(witnesses[cosigners]))
    }

    private func policy(_ export: SampleExport, quorum: Int = 2) throws -> WitnessPolicy {
        try WitnessPolicy(logKeys: [export.log.verifierKey], witnesses: witnesses.map(\.verifierKey), quorum: quorum)
    }

    private func put(_ signed: SignedCheckpoint, into export: SampleExport) throws {
        try export.write(Data(signed.note.bytes), to: ExportManifest.checkpointName)
    }

    @Test("an export proves its partitions in the published checkpoint, and says which witnesses saw it when")
    func whole() async throws {
        let export = try await self.export()
        let published = try await SampleExport.checkpoint(of: store, by: export.log, witnesses: [witnesses[0]])
        let found = try export.verified(key: export.publicKey, policy: policy(export))

        #expect(found.problems == [] && found.remarks == [])
        #expect(found.manifest?.logKey == "\(export.log.verifierKey)")
        #expect(found.manifest?.treeHead == nil)
        #expect(found.loggedPartitions == 6 && found.partitions == 7)
        let checkpoint = try #require(found.checkpoint)
        #expect(checkpoint.cosigned.checkpoint == published.checkpoint)
        #expect(checkpoint.cosigned.cosignatures.map(\.key) == witnesses.prefix(2).map(\.verifierKey))
        let time = EventInstant(microseconds: SampleExport.created.microseconds + 1_000_000)
        #expect(checkpoint.cosigned.cosignatures.map(\.cosigned) == [time, time])
        #expect(checkpoint.unknownNames == [])
        let bytes = try export.bytes(ExportManifest.checkpointName)
        #expect(Array(bytes) == checkpoint.cosigned.signed.note.bytes)
    }

    @Test("without a key of the log that is given, the export's own is taken, and no witness is believed")
    func withoutKeys() async throws {
        let found = try await self.export().verified()
        #expect(found.problems == [])
        let checkpoint = try #require(found.checkpoint)
        #expect(checkpoint.cosigned.cosignatures == [])
        #expect(checkpoint.unknownNames == ["witness.example/w1", "witness.example/w2"])
    }

    @Test("a thief who cuts, swaps or removes the checkpoint is found")
    func thief() async throws {
        func problems(_ change: (SampleExport) async throws -> Void) async throws -> [String] {
            let export = try await self.export()
            try await change(export)
            return try export.verified(policy: policy(export)).problems
        }
        func hasOtherFile(_ problems: [String]) -> Bool {
            problems.contains { $0.hasPrefix("checkpoint: its SHA-256 is ") || $0.hasPrefix("checkpoint: it has ") }
        }
        let name = ExportManifest.checkpointName
        var found = try await problems { try FileManager.default.removeItem(atPath: "\($0.path)/\(name)") }
        #expect(found.contains("checkpoint: it is missing."))
        for count in [0, 1, 60, 200] {
            found = try await problems { try $0.write($0.bytes(name).prefix(count), to: name) }
            #expect(hasOtherFile(found))
            #expect(found.contains { $0.hasPrefix("checkpoint: The signed note cannot be read: ") }, "\(found)")
        }
        found = try await problems { export in
            let lines = try export.lines(name)
            try export.write(Data((lines.dropLast().joined(separator: "\n") + "\n").utf8), to: name)
        }
        #expect(hasOtherFile(found))

        // Of the same log, with fewer entries.
        found = try await problems { export in
            try await put(
                SampleExport.checkpoint(of: store, by: export.log, witnesses: Array(witnesses[..<2]), size: 3),
                into: export
            )
        }
        #expect(hasOtherFile(found))
        #expect(found.count { $0.hasSuffix("is not in the log, as the checkpoint shows.") } == 6, "\(found)")
        #expect(!found.contains { $0.hasPrefix("checkpoint: The ") })

        // Of another log, with a key of its own.
        let other = try EdwardsNoteSigner(name: "log.example/other", algorithm: .ed25519)
        found = try await problems { export in
            try await put(SampleExport.checkpoint(of: store, by: other), into: export)
        }
        #expect(hasOtherFile(found))
        #expect(found.contains("checkpoint: The checkpoint is of another log than log.example/ward."))

        // In the log's name, with another key.
        let namesake = try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519)
        found = try await problems { export in
            try await put(
                SampleExport.checkpoint(of: store, by: namesake, witnesses: Array(witnesses[..<2])),
                into: export
            )
        }
        #expect(hasOtherFile(found))
        #expect(found.contains("checkpoint: The checkpoint is not signed by a known key of log.example/ward."))
    }

    @Test("a checkpoint that is put into an export without one belongs to nothing")
    func added() async throws {
        let export = try await SampleExport(store, formats: [.jsonl], publishes: false)
        let remark = "The server publishes no log: that it had these partitions then is its own word alone."
        #expect(try export.verified().problems == [])
        #expect(try export.verified().remarks == [remark])
        #expect(
            try export.verified(policy: policy(export)).problems == [
                "manifest.json: it names no checkpoint, so the keys of a log and of its witnesses say nothing about the export."
            ]
        )
        try await put(SampleExport.checkpoint(of: store, by: export.log), into: export)
        #expect(
            try export.verified().problems == ["checkpoint: the manifest does not name it, so it belongs to no export."]
        )
    }

    @Test("an operator who signs an export anew passes neither the log's key nor the witnesses")
    func signedAnew() async throws {
        func problems(_ change: (SampleExport) async throws -> SignedCheckpoint) async throws -> [String] {
            let export = try await self.export()
            try await put(change(export), into: export)
            try export.signAnew { _ in }
            return try export.verified(key: export.publicKey, policy: policy(export)).problems
        }
        // Nobody cosigned it, or too few did.
        for (count, sentence) in [(0, "0 of the known witnesses, and 2 are needed."), (1, "1 of the known witnesses")] {
            let found = try await problems { export in
                try await SampleExport.checkpoint(of: store, by: export.log, witnesses: Array(witnesses[..<count]))
            }
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("checkpoint: The checkpoint is cosigned by \(sentence)") == true, "\(found)")
        }
        // A line in the name of a witness that its key did not make.
        let found = try await problems { export in
            let signed = try await SampleExport.checkpoint(of: store, by: export.log, size: 3)
            let small = try await SampleExport.checkpoint(of: store, by: export.log, witnesses: Array(witnesses[..<2]))
            return try signed.adding(Array(small.note.signatures.dropFirst()))
        }
        #expect(
            found.contains(
                "checkpoint: A signature in the name of witness.example/w1 was not made by its key, so nothing of the note "
                    + "is believed."
            )
        )

        // A whole new log, with a key in the same name, which the manifest names.
        let export = try await self.export()
        let namesake = try EdwardsNoteSigner(name: "log.example/ward", algorithm: .ed25519)
        try await put(SampleExport.checkpoint(of: store, by: namesake), into: export)
        try export.signAnew { $0["logKey"] = "\(namesake.verifierKey)" }
        #expect(try export.verified().problems == [])
        let told = try export.verified(policy: policy(export)).problems
        #expect(
            told.contains(
                "manifest.json: the key of the log is \(namesake.verifierKey), and the one that was given is "
                    + "\(export.log.verifierKey)."
            )
        )
        #expect(told.contains("checkpoint: The checkpoint is not signed by a known key of log.example/ward."))
        try export.signAnew { $0["logKey"] = nil }
        #expect(
            try export.verified().problems == [
                "manifest.json: it names a checkpoint, and not the key of its log."
            ]
        )
        try export.signAnew { $0["logKey"] = "log.example/ward+00000000+AAAA" }
        #expect(try export.verified().problems.first?.hasPrefix("manifest.json: The key of a note's signer") == true)
    }

    @Test("a partition that was sealed after the checkpoint is told, and so is a server that had published nothing yet")
    func late() async throws {
        let signer = try SampleDevice.serverKey.logSigner(origin: "log.example/ward")
        let old = try await SampleExport.checkpoint(of: store, by: signer)
        try await store.acceptSealed(20...20)
        let export = try await SampleExport(store, formats: [.jsonl], key: SampleDevice.serverKey, published: old)

        #expect(try export.verified().problems == [])
        #expect(
            try export.verified().remarks == [
                "1 partition was sealed after the checkpoint was signed, and so is not proven to be in the log."
            ]
        )
        try export.signAnew { manifest in
            let files = manifest["files"] as? [[String: Any]] ?? []
            manifest["files"] = files.filter { $0["name"] as? String != ExportManifest.checkpointName }
            try FileManager.default.removeItem(atPath: "\(export.path)/\(ExportManifest.checkpointName)")
            let lines = try export.lines(ExportManifest.proofsName)
                .map { $0.replacing(#/"logged":\{"entry".*"path":\[[^\]]*\]\}\},/#, with: "") }
            try export.write(Data(lines.map { "\($0)\n" }.joined().utf8), to: ExportManifest.proofsName)
        }
        #expect(try export.verified().problems == [])
        #expect(
            try export.verified().remarks == [
                "The server had not published its log yet: that it had these partitions then is its own word alone."
            ]
        )
    }

    @Test("an export of version 1 is verified by its head, and no key of a log is held against it")
    func versionOne() async throws {
        let export = try await self.export()
        let (size, root) = try await store.withLog(durably: false) { ($0.count, try $0.root(at: $0.count)) }
        let added = [ExportManifest.checkpointName, ExportManifest.coverName] as [String?]
        func write(_ head: TreeHead) throws {
            try export.signAnew { manifest in
                manifest["version"] = 1
                manifest["logKey"] = nil
                manifest["treeHead"] = try JSONSerialization.jsonObject(with: Data(EventLine.lines([head])))
                let files = manifest["files"] as? [[String: Any]] ?? []
                manifest["files"] = files.filter { !added.contains($0["name"] as? String) }
            }
        }
        for name in added { try FileManager.default.removeItem(atPath: "\(export.path)/\(name ?? "")") }
        try write(export.key.head(size: size, root: root, at: SampleExport.created))
        let found = try export.verified(key: export.key.publicKey)

        #expect(found.problems == [] && found.remarks == [])
        #expect(found.loggedPartitions == 6 && found.checkpoint == nil)
        let held = try export.verified(policy: policy(export)).problems
        #expect(held.count == 1 && held.first?.contains("an export of version 1 has no checkpoint") == true)

        try write(export.key.head(size: size, root: MerkleHash.empty, at: SampleExport.created))
        #expect(
            try export.verified().problems.count { $0.hasSuffix("is not in the log, as the head of the log shows.") }
                == 6
        )
        let other = try SigningKey(SigningKey.makeKey())
        try write(other.head(size: size, root: root, at: SampleExport.created))
        #expect(
            try export.verified().problems == [
                "manifest.json: the head of the log is signed with another key than the manifest."
            ]
        )
        try export.signAnew { $0["version"] = ExportManifest.currentVersion + 1 }
        #expect(try export.verified().problems == ["manifest.json: only a newer program can check it."])
    }
}
