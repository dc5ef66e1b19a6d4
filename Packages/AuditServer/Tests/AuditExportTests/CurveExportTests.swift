import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import AuditFormats
@testable import AuditModel
@testable import AuditVerifying

/// Exports of partitions that devices sealed with P-256, and what a thief makes of them.
@Suite("Exports of devices with P-256 keys")
struct CurveExportTests {
    /// Whether the program in the cover can be run.
    private static let hasTools = ["python3", "openssl"]
        .allSatisfy { name in
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
                .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
        }

    private func export(revokes: Bool = false) async throws -> (SampleExport, SampleDevice) {
        let store = InMemoryEventStore()
        let (curve, curveSeal) = try SampleExport.device(1, signing: .p256)
        let (edwards, edwardsSeal) = try SampleExport.device(2)
        _ = try await store.accept(curve.upload(1...curve.events.count, seal: curveSeal))
        _ = try await store.accept(edwards.upload(1...edwards.events.count, seal: edwardsSeal))
        let key = RevokedKey(
            owner: SampleDevice.owner,
            publicKey: curve.key.publicKey,
            since: SampleDevice.received,
            reason: "stolen"
        )
        return (try await SampleExport(store, formats: [.jsonl], revokedKeys: revokes ? [key] : []), curve)
    }

    /// Exchanges a text in the proofs and has the server sign everything anew.
    private func exchange(_ old: String, by new: String, in export: SampleExport) throws {
        let proofs = String(decoding: try export.bytes(ExportManifest.proofsName), as: UTF8.self)
        try #require(proofs.contains(old))
        try export.write(Data(proofs.replacing(old, with: new).utf8), to: ExportManifest.proofsName)
        try export.signAnew { _ in }
    }

    /// Says what the program in the cover says on stderr; nil when everything is proven.
    private func said(of export: SampleExport) throws -> String? {
        let outcome = try SpawnedProgram.run(
            [
                "python3", "-I", "-c", ExportCover.program(of: ExportManifest.currentVersion), export.path,
                Hexadecimal.text(export.publicKey),
            ],
            errorsIn: export.folder.file("said")
        )
        return outcome.status == 0 ? nil : outcome.errors
    }

    @Test("an export with seals of both algorithms is verified, and names the keys as they are")
    func verified() async throws {
        let (export, curve) = try await self.export()

        let found = try export.verified(key: export.publicKey)

        #expect(found.problems == [])
        #expect(found.manifest?.version == 4)
        let proofs = String(decoding: try export.bytes(ExportManifest.proofsName), as: UTF8.self)
        #expect(proofs.contains(#""publicKey":"\#(Hexadecimal.text(curve.key.publicKey))""#))
    }

    @Test("a key of P-256 that is not believed any more is a problem as every other one is")
    func revoked() async throws {
        let (export, curve) = try await self.export(revokes: true)

        let problems = try export.verified(key: export.publicKey).problems

        #expect(problems.count == 1)
        #expect(problems.first?.contains("\(curve.partition) was received at") == true)
    }

    @Test(
        "the program in the cover proves the same with openssl, and finds what a thief exchanged, as the library does",
        .enabled(if: hasTools, "python3 or openssl is not installed")
    )
    func program() async throws {
        let (export, _) = try await self.export()
        #expect(try said(of: export) == nil)

        let strangers = [
            Hexadecimal.text(DeviceKey(.p256).publicKey), Hexadecimal.text(DeviceKey().publicKey),
            "02" + String(repeating: "f", count: 64),
        ]
        for number in 0..<6 {
            let (export, curve) = try await self.export()
            let own = Hexadecimal.text(curve.key.publicKey)
            let x = own.dropFirst(2)
            let thief = ([(own.hasPrefix("02") ? "03" : "02") + x, String(x), "04" + x] + strangers)[number]
            try exchange(own, by: thief, in: export)
            #expect(try export.verified(key: export.publicKey).problems.count >= 1, "\(thief)")
            #expect(try said(of: export)?.contains("NOT PROVEN: the seal of a device") == true, "\(thief)")
        }
    }

    @Test(
        "the second signature that everybody can compute is nobody's, also where openssl would take it",
        .enabled(if: hasTools, "python3 or openssl is not installed")
    )
    func greaterValue() async throws {
        let (export, _) = try await self.export()
        let seals = try export.objects(ExportManifest.proofsName).compactMap { $0["seal"] as? [String: Any] }
        let seal = try #require(seals.first { ($0["publicKey"] as? String)?.count == 66 })
        let signature = try #require(seal["signature"] as? String)
        let order = try #require(
            Hexadecimal.bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        )
        var (rest, borrow) = (Array(try #require(Hexadecimal.bytes(signature)).suffix(32)), 0)
        for index in rest.indices.reversed() {
            let difference = Int(order[index]) - Int(rest[index]) - borrow
            (rest[index], borrow) = (UInt8(truncatingIfNeeded: difference), difference < 0 ? 1 : 0)
        }

        try exchange(signature, by: signature.prefix(64) + Hexadecimal.text(rest), in: export)

        #expect(try export.verified(key: export.publicKey).problems.count >= 1)
        #expect(try said(of: export)?.contains("NOT PROVEN: the seal of a device") == true)
    }
}
