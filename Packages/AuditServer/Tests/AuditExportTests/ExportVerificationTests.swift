import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import GRDB
import Testing

@testable import AuditFormats
@testable import AuditModel
@testable import AuditVerifying
@testable import SQLiteStore

@Suite("Verification of exports")
struct ExportVerificationTests {
    @Test("an export proves each event, sealed and open, in every format")
    func whole() async throws {
        let export = try await SampleExport(SampleExport.store())
        let verification = try export.verified(key: export.publicKey)

        #expect(verification.problems == [])
        #expect(verification.remarks == [])
        #expect(verification.events == 18)
        #expect(verification.partitions == 2)
        let manifest = try #require(verification.manifest)
        #expect(manifest.openPartitions == 1)
        #expect(manifest.changedEvents == 0)
        #expect(
            manifest.files.map(\.name) == [
                "events.csv", "events.jsonl", "events.fhir.ndjson", "events.ocsf.jsonl", "proofs.jsonl", "checkpoint",
                "cover.html",
            ]
        )
        #expect(manifest.reason == "an incident")
        let proofs = try export.objects("proofs.jsonl")
        #expect(proofs.count == 20)
        #expect(proofs[0]["seal"] != nil && proofs[0]["logged"] != nil && proofs[0]["receipt"] != nil)
        #expect(proofs[10]["seal"] == nil && proofs[10]["receipt"] != nil)
        #expect(try export.objects("events.jsonl").count == 18)
        for name in try FileManager.default.contentsOfDirectory(atPath: export.path) {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(export.path)/\(name)")[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
    }

    @Test("exactly the events that fit are in it, and each is proven in the tree of all")
    func filtered() async throws {
        let filter = EventFilter(objectClass: "Patient", objectKey: "p1")
        let export = try await SampleExport(SampleExport.store(), filter: filter, formats: [.jsonl])
        let verification = try export.verified()

        #expect(verification.problems == [])
        #expect(
            try export.objects("events.jsonl").map { $0["activity"] as? String } == [
                "Open chart", "List", "Correct", "Open chart", "List", "Correct",
            ]
        )
        let none = try await SampleExport(SampleExport.store(), filter: EventFilter(activity: "nothing"))
        #expect(try none.verified().problems == [])
        #expect(try none.lines("proofs.jsonl") == [])
    }

    @Test(
        "a byte that is changed in any file is found, and its place is told",
        arguments: [
            ("events.csv", "Anna"), ("events.jsonl", "Anna"), ("events.ocsf.jsonl", "Anna"),
            ("events.fhir.ndjson", "emergency"),
            ("proofs.jsonl", "\"sequence\":5"), ("cover.html", "prove"), ("manifest.json", "an incident"),
        ]
    )
    func changedByte(name: String, text: String) async throws {
        let export = try await SampleExport(SampleExport.store())
        var data = try export.bytes(name)
        let place = try #require(data.range(of: Data(text.utf8))).upperBound - 1
        data[place] ^= 1
        try export.write(data, to: name)
        let problems = try export.verified().problems

        #expect(!problems.isEmpty)
        if name == "manifest.json" {
            #expect(
                problems == [
                    "signature.json: the signature does not belong to manifest.json, which was changed.",
                    "cover.html: it is not the page that the manifest, the checkpoint and the proofs make.",
                ]
            )
            return
        }
        #expect(problems.contains { $0.hasPrefix("\(name): its SHA-256 is ") })
        if name == "cover.html" { return }
        // The line by its number and its bytes, among which the changed one is.
        let told = try #require(problems.first { $0.hasPrefix("\(name), line ") })
        let numbers = told.split { !$0.isNumber }.compactMap { Int($0) }
        #expect(numbers[1]...numbers[2] ~= place, "\(told)")
    }

    @Test("what is left out, put in or moved is found")
    func changedLines() async throws {
        let store = try await SampleExport.store()
        func problems(_ change: (SampleExport) throws -> Void) async throws -> [String] {
            let export = try await SampleExport(store)
            try change(export)
            return try export.verified().problems
        }
        func edit(_ name: String, _ change: @escaping (inout [String]) -> Void) -> (SampleExport) throws -> Void {
            { export in
                var lines = try export.lines(name)
                change(&lines)
                try export.write(Data(lines.map { "\($0)\n" }.joined().utf8), to: name)
            }
        }
        var found = try await problems(edit("events.jsonl") { $0.removeLast() })
        #expect(found.contains { $0.hasPrefix("events.jsonl: event 9 of partition") })
        found = try await problems(edit("events.jsonl") { $0.append("{}") })
        #expect(found.contains { $0.hasSuffix("no proof belongs to it.") })
        found = try await problems(edit("events.fhir.ndjson") { $0.swapAt(0, 1) })
        #expect(found.count { $0.hasPrefix("events.fhir.ndjson, line") } == 2)
        found = try await problems(edit("proofs.jsonl") { $0.remove(at: 1) })
        #expect(found.contains("manifest.json: it speaks of 18 events, and there are 17."))
        found = try await problems(edit("proofs.jsonl") { $0.swapAt(1, 2) })
        #expect(found.contains { $0.contains("comes after event 2") })
        found = try await problems(edit("proofs.jsonl") { $0.append("nonsense") })
        #expect(found.contains { $0.hasSuffix("it is neither a partition nor a proof.") })
        found = try await problems { try FileManager.default.removeItem(atPath: "\($0.path)/events.csv") }
        #expect(found.contains("events.csv: it is missing."))
        found = try await problems { try FileManager.default.removeItem(atPath: "\($0.path)/signature.json") }
        #expect(found.contains { $0.hasPrefix("signature.json: it is missing") })
        found = try await problems { try FileManager.default.removeItem(atPath: "\($0.path)/manifest.json") }
        #expect(found == ["manifest.json: it is missing."])
    }

    @Test("a signature by another key, and a statement in the name of another one, are found")
    func otherKey() async throws {
        let store = try await SampleExport.store()
        let export = try await SampleExport(store)
        let other = try SigningKey(SigningKey.makeKey())

        #expect(try export.verified(key: other.publicKey).problems.contains { $0.contains("and the server's is") })
        // Somebody signs the same manifest anew: the page names the server's key.
        let signature = try other.signed(manifest: Array(export.bytes("manifest.json")))
        try export.write(Data(EventLine.lines([signature])), to: "signature.json")
        let problems = try export.verified().problems
        #expect(problems == ["cover.html: it is not the page that the manifest, the checkpoint and the proofs make."])
        // And with a page of their own: receipts are still the server's, of whom somebody knows.
        try export.signAnew(by: other) { $0["receiptKey"] = Hexadecimal.text(other.exportKey.publicKey) }
        #expect(try export.verified().problems.count { $0.contains("the receipt for partition") } == 2)
    }

    @Test("an event that was changed in the store is exported as it is, and verification says so")
    func changedInStore() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        let (device, seal) = try SampleExport.device()
        _ = try await store.accept(device.upload(1...device.events.count, seal: seal))
        try await DatabaseQueue.beside(folder.file("db"))
            .write { try $0.execute(sql: "UPDATE AuditEvent SET activity = 'x' WHERE daybook_sequence = 2") }
        let export = try await SampleExport(store)
        let verification = try export.verified()

        #expect(verification.manifest?.changedEvents == 1)
        #expect(verification.problems.count == 1)
        #expect(verification.problems[0].contains("event 2 of partition \(device.partition) is not what was received"))
    }

    @Test("an export that nobody signed says so, and a key makes it fail")
    func unsigned() async throws {
        let export = try await SampleExport(SampleExport.store(), isSigned: false)
        #expect(try export.verified().problems == [])
        #expect(try export.verified().remarks.contains { $0.hasPrefix("No server signed this export") })
        #expect(try export.verified(key: export.publicKey).problems.count == 1)
    }
}
