import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import AuditFormats
@testable import AuditModel
@testable import AuditVerifying

@Suite("The cover of an export")
struct ExportCoverTests {
    private func page(_ export: SampleExport) throws -> String {
        String(decoding: try export.bytes(ExportManifest.coverName), as: UTF8.self)
    }

    @Test("the page says what the export is, what is proven and by whom, and what is not")
    func content() async throws {
        let witness = try SampleExport.witness(1)
        let export = try await SampleExport(SampleExport.store(), witnesses: [witness])
        let page = try page(export)

        for text in [
            "<td><bdi>an incident</bdi></td>", "<bdi>person</bdi>: <bdi>ada</bdi>", "role <bdi>auditor</bdi>",
            "<tr><th scope=\"row\">Events</th><td>18</td></tr>", "<bdi>2023-11-14 22:13:20 UTC</bdi>",
            "<bdi>looked at</bdi>: <bdi>Open chart</bdi></td><td><bdi>Patient p1</bdi>",
            "Its key of exports is <code>\(Hexadecimal.text(export.publicKey))</code>", "\(export.log.verifierKey)",
            "its key of receipts <code>\(Hexadecimal.text(export.key.publicKey))</code>",
            "<bdi>witness.example/w1</bdi>, <bdi>2027-01-15 08:00:01 UTC</bdi>",
            "1 of 2 partitions were closed by the device",
            "Of 1 partition that no device has closed yet", "daybook verify FOLDER --key KEY --log-key LOGKEY",
        ] { #expect(page.contains(text), "\(text)") }
        // What somebody saw is not on the page.
        #expect(!page.contains("Anna"))
        #expect(try export.verified(key: export.publicKey).problems == [])
    }

    @Test("no text of others is markup, hides, or turns round what stands beside it, and nothing is loaded or run")
    func texts() async throws {
        let page = try await page(SampleExport(SampleExport.store()))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &quot;quoted&quot;"))
        #expect(page.contains("<i>U+0000</i><wbr><i>U+001B</i><wbr>[31m<i>U+000D</i><wbr><i>U+000A</i><wbr>next"))
        for mark in ["<script", "<img", "<link", "http://", "url(", "@import", "onload", "<a ", "\u{1B}", "\0"] {
            #expect(!page.contains(mark), "\(mark)")
        }
        #expect(
            CoverText.html("a\u{202E}b\u{2066}\u{200B}\u{AD}\u{FEFF}\u{E0041}")
                == "<bdi>a<i>U+202E</i><wbr>b<i>U+2066</i><wbr><i>U+200B</i><wbr><i>U+00AD</i><wbr><i>U+FEFF</i><wbr><i>U+E0041</i><wbr></bdi>"
        )
        #expect(CoverText.html("<&>\"'") == "<bdi>&lt;&amp;&gt;&quot;&#39;</bdi>")
        #expect(CoverText.html("") == "<bdi><i>empty</i></bdi>")
        #expect(CoverText.html(String(repeating: "e\u{301}", count: 200)).hasSuffix("e\u{301}\u{2026}</bdi>"))
    }

    @Test("of more than two hundred events, fifty persons or fifty partitions the rest is counted")
    func many() async throws {
        let store = InMemoryEventStore()
        for number in 1...60 as ClosedRange<UInt32> {
            var device = SampleDevice(number)
            for index in 0..<4 {
                let metadata = try EventMetadata(["userId": "person \(number) \(index)"])
                device.record(device.event("Rounds", metadata: metadata))
            }
            _ = try await store.accept(device.upload(1...4, seal: device.seal()))
        }
        let export = try await SampleExport(store, formats: [.jsonl])
        let page = try page(export)

        #expect(try export.verified().problems == [])
        #expect(page.contains("<p>40 more events are in the files.</p>"))
        #expect(page.contains("<p>190 more events are of others, who are in the files.</p>"))
        #expect(page.contains("<p>10 more partitions are in the files.</p>"))
        #expect(page.count(of: ": <bdi>Rounds</bdi>") == 200)
    }

    @Test("the page is made anew from the manifest, the checkpoint and the proofs, and each change of it is found")
    func recomputed() async throws {
        let export = try await SampleExport(SampleExport.store(), formats: [.jsonl])
        let whole = try export.bytes(ExportManifest.coverName)
        let sentence = "cover.html: it is not the page that the manifest, the checkpoint and the proofs make."
        var changed = whole
        let place = try #require(changed.range(of: Data("looked at".utf8))).lowerBound
        changed[place] ^= 1
        for bytes in [changed, whole + Data("\n".utf8), Data()] {
            try export.write(bytes, to: ExportManifest.coverName)
            #expect(try export.verified().problems.contains(sentence))
        }
        // Whoever holds the server's key can sign another page, and it is still not the one of these events.
        try export.write(changed, to: ExportManifest.coverName)
        let manifest = try JSONSerialization.jsonObject(with: export.bytes(ExportManifest.fileName)) as? [String: Any]
        let digest = try FileDigest("\(export.path)/\(ExportManifest.coverName)")
        let files = (manifest?["files"] as? [[String: Any]] ?? [])
            .map { file in
                file["name"] as? String == ExportManifest.coverName
                    ? file.merging(["bytes": digest.bytes, "sha256": digest.sha256.hex]) { $1 } : file
            }
        let forged = try JSONSerialization.data(withJSONObject: (manifest ?? [:]).merging(["files": files]) { $1 })
        try export.write(forged, to: ExportManifest.fileName)
        let signature = try export.key.exportKey.signed(manifest: Array(forged))
        try export.write(Data(EventLine.lines([signature])), to: ExportSignature.fileName)
        #expect(try export.verified().problems == [sentence])

        try FileManager.default.removeItem(atPath: "\(export.path)/\(ExportManifest.coverName)")
        try export.signAnew { manifest in
            manifest["files"] = files.filter { $0["name"] as? String != ExportManifest.coverName }
        }
        #expect(try export.verified().problems == ["manifest.json: it names no cover.html, which every export has."])
    }

    @Test("of erased events the page has the place alone, and says so")
    func erased() async throws {
        let store = try await SampleExport.store()
        let act = LegalHold.Act(by: "t", at: SampleDevice.received, reason: "r")
        let order = ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(objectKey: "p1"))
        let erasure = try await store.begin(order).number
        _ = try await store.erase([EventAddress(partition: SampleDevice(1).partition, sequence: 1)], for: erasure)
        _ = try await store.finish(erasure)
        let export = try await SampleExport(store)
        let page = try page(export)

        #expect(try export.verified().problems == [])
        #expect(page.contains("<strong>erased before the export</strong>"))
        #expect(page.contains("What 1 event said that had been erased"))
        #expect(page.count(of: "<bdi>Open chart</bdi>") == 1)
    }
}

extension String {
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
