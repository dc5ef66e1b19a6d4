import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import AuditFormats
@testable import AuditModel
@testable import AuditVerifying

@Suite("The key that signs exports")
struct ExportKeyTests {
    private let store: InMemoryEventStore
    private let export: SampleExport
    private let sentence =
        "signature.json: it is signed with the key of receipts, which signs no export of this version."

    init() async throws {
        store = try await SampleExport.store()
        export = try await SampleExport(store, formats: [.jsonl])
    }

    /// Has the receipts of an export signed by another key, as a thief of the key of exports could.
    private func exchangeReceipts(by key: SigningKey) throws {
        let lines = try export.lines(ExportManifest.proofsName)
            .map { line -> String in
                guard line.contains("receipt") else { return line }
                let partition = try JSONDecoder().decode(ExportedPartition.self, from: Data(line.utf8))
                let proof = DurabilityProof(
                    partition: partition.partition,
                    durableThrough: partition.count,
                    root: partition.root,
                    isSealed: partition.seal != nil
                )
                let owner = try #require(partition.owner)
                let receipt = try key.signed(proof, for: owner, at: SampleExport.created).receipt
                let changed = ExportedPartition(
                    partition: partition.partition,
                    owner: owner,
                    count: partition.count,
                    root: partition.root,
                    seal: partition.seal,
                    receipt: receipt,
                    logged: partition.logged
                )
                return String(decoding: try EventLine.lines([changed]).dropLast(), as: UTF8.self)
            }
        try export.write(Data(lines.map { "\($0)\n" }.joined().utf8), to: ExportManifest.proofsName)
    }

    @Test(
        "it is another key than the one of receipts, which the manifest names, and both are held against what is known"
    )
    func keys() throws {
        let found = try export.verified(key: export.publicKey, receiptKey: export.key.publicKey)

        #expect(found.problems == [] && found.remarks == [])
        #expect(found.publicKey == export.publicKey && found.publicReceiptKey == export.key.publicKey)
        #expect(export.publicKey != export.key.publicKey)
        #expect(export.publicKey == (try export.key.publicKeys.exports))
        let manifest = try JSONDecoder().decode(ExportManifest.self, from: export.bytes(ExportManifest.fileName))
        #expect(manifest.version == 4 && manifest.receiptKey == export.key.publicKey)
        #expect(try manifest.encoded() == Array(export.bytes(ExportManifest.fileName)))
        #expect(
            try export.objects(ExportSignature.fileName).first?["publicKey"] as? String
                == Hexadecimal.text(export.publicKey)
        )
    }

    @Test("what the key of receipts signs is no export of now, whatever key is known, or none")
    func receiptsSigner() throws {
        try export.signAnew(by: export.key) { _ in }
        #expect(try export.verified().problems == [sentence])
        #expect(try export.verified(key: export.publicKey).problems.count == 2)
        let told = try export.verified(key: export.key.publicKey)
        #expect(told.problems == [sentence])

        // As an export of before, which that key did sign: not for those who know the key of exports.
        try export.signAnew { manifest in
            manifest["version"] = 3
            manifest["receiptKey"] = nil
        }
        let old = try export.verified(key: export.publicKey)
        #expect(
            old.problems.count == 1
                && old.problems[0].contains("and the server's is \(Hexadecimal.text(export.publicKey))")
        )
        #expect(
            old.remarks == ["Up to version 3 exports are signed with the server's key of receipts; this one is of 3."]
        )
    }

    @Test("who has stolen the key of exports makes no receipts for those who know the key of receipts")
    func exportsThief() throws {
        let thief = try SigningKey(SigningKey.makeKey())
        try exchangeReceipts(by: thief)
        try export.signAnew { _ in }
        let found = try export.verified(key: export.publicKey).problems
        #expect(
            found.count == 2 && found.allSatisfy { $0.contains("is signed with another key than the manifest names") }
        )

        try export.signAnew { $0["receiptKey"] = Hexadecimal.text(thief.publicKey) }
        #expect(try export.verified(key: export.publicKey).problems == [])
        let told = try export.verified(key: export.publicKey, receiptKey: export.key.publicKey).problems
        #expect(
            told.count == 1
                && told[0].hasPrefix("manifest.json: the key of receipts is \(Hexadecimal.text(thief.publicKey))")
        )

        // With the key of exports in the place of the one of receipts, too.
        try exchangeReceipts(by: export.key.exportKey)
        try export.signAnew { $0["receiptKey"] = Hexadecimal.text(export.publicKey) }
        #expect(try export.verified(key: export.publicKey).problems == [sentence])
    }

    @Test("keys that are given the wrong way round are told, and so is a manifest that names none, or no key")
    func exchanged() throws {
        let found = try export.verified(key: export.key.publicKey, receiptKey: export.publicKey)
        #expect(found.problems.count == 2)
        #expect(
            found.remarks == [
                "The key that was given is the one of receipts: exports are signed with 'exportKey' of /api/v1/key."
            ]
        )
        try export.signAnew { $0["receiptKey"] = nil }
        #expect(try export.verified().problems.contains("manifest.json: it names no key of receipts."))
        #expect(
            try export.verified(key: export.publicKey).problems.contains("manifest.json: it names no key of receipts.")
        )
        try export.signAnew { $0["receiptKey"] = "x" }
        #expect(try export.verified().problems == ["manifest.json: it is no manifest of an export."])
    }

    @Test("an export of version 3 is verified by the key of receipts, with the page and the program that it had")
    func versionThree() async throws {
        func old(_ export: SampleExport) throws {
            try export.signAnew { manifest in
                manifest["version"] = 3
                manifest["receiptKey"] = nil
            }
        }
        try old(export)
        for key in [nil, export.key.publicKey] {
            let found = try export.verified(key: key, receiptKey: key)
            #expect(found.problems == [] && found.remarks == [])
            #expect(found.publicKey == export.key.publicKey && found.publicReceiptKey == export.key.publicKey)
        }
        let other = try SigningKey(SigningKey.makeKey())
        #expect(try export.verified(receiptKey: other.publicKey).problems.count == 1)
        let page = String(decoding: try export.bytes(ExportManifest.coverName), as: UTF8.self)
        #expect(page.contains("Its key is <code>\(Hexadecimal.text(export.key.publicKey))</code>."))
        #expect(
            page.contains("that of the server and that of its log from who runs it (<code>GET /api/v1/key</code>), and")
        )
        #expect(!page.contains("receiptKey") && !page.contains("exportKey"))
        let program = MerkleHash.leaf(Array(ExportCover.program(of: 3).utf8))
        #expect(program.hex == "e5fc9a8da12e25284a161d0185c692b8d009e106a7de121986b82770660a954c")

        // Another key under the same receipts.
        try export.signAnew(by: other) { _ in }
        let found = try export.verified().problems
        #expect(found.count == 2 && found.allSatisfy { $0.hasSuffix("is signed with another key than the manifest.") })

        let files = try await SampleExport(store, formats: [.jsonl], isSigned: false)
        #expect(try files.lines(ExportManifest.fileName).allSatisfy { !$0.contains("receiptKey") })
        #expect(try files.verified(receiptKey: export.key.publicKey).problems.count == 1)
    }
}
