import AuditHTTP
import AuditModel
import AuditServerTesting
import AuditVerifying
import EventModel
import EventModelTesting
import Foundation
import SQLiteStore
import Testing

@Suite("Exports in a browser", .enabled(if: Browser.isInstalled, Browser.skipped), .serialized)
struct ExportTests {
    /// Fetches a file of the first export in the page, as a click on its link does.
    private static func file(_ name: String, in browser: Browser) async throws -> Data {
        let text = try await browser.run(
            """
            return fetch([...document.querySelectorAll('.files a')].find((link) => link.textContent === '\(name)').href)
                .then((answer) => answer.text())
            """
        )
        return Data(text.utf8)
    }

    @Test("an auditor exports exactly what a search found, fetches the files, and their proofs hold without the server")
    func export() async throws {
        let server = try await ConsoleServer()
        var device = SampleDevice()
        for person in ["ada", "<b>bob</b>"] {
            let metadata = try EventMetadata(["userId": person])
            device.record(
                device.event("Open chart", data: #"{"type":"Patient","value":[{"_id":"p1"}]}"#, metadata: metadata)
            )
        }
        _ = try await server.store.accept(device.upload(1...2, seal: device.seal()))
        try await server.open(as: .auditor) { browser, _ in
            try await browser.run("location.hash = '#/search?person=%3Cb%3Ebob%3C%2Fb%3E'")
            _ = try await browser.text(of: ".chips")
            _ = try await browser.text(of: ".results tbody tr")

            try await browser.run("document.querySelector('#export').click()")
            let asked = try await browser.text(of: "dialog[open] form")
            #expect(asked.contains("person <b>bob</b>"))
            try await browser.takePicture("export-form")
            try await browser.run(
                """
                document.querySelector('#export-fhir').checked = true
                document.querySelector('#export-reason').value = 'an incident'
                document.querySelector('dialog form').requestSubmit()
                """
            )
            let job = try await browser.text(of: ".job.done")
            #expect(job.contains("person <b>bob</b>") && job.contains("an incident") && job.contains("1 event"))
            try await browser.takePicture("exports")
            let copy = server.folder.file("copy")
            try PrivateFile.makeFolder(copy)
            for name in [
                "events.csv", "events.jsonl", "events.fhir.ndjson", "proofs.jsonl", "cover.html", "manifest.json",
                "signature.json",
            ] {
                try await Self.file(name, in: browser).write(to: URL(filePath: "\(copy)/\(name)"))
            }
            var verification = ExportVerification(folder: copy, key: server.key.exportKey.publicKey)
            try verification.run()
            #expect(verification.problems == [])
            #expect(verification.events == 1)
            #expect(verification.manifest?.filter == ["person": "<b>bob</b>"])

            try await browser.resize(390, 844, isDark: true)
            let isWide = try await browser.run("return document.documentElement.scrollWidth > innerWidth")
            #expect(isWide == "false")
            try await browser.takePicture("exports-narrow")
            try await browser.run("document.querySelector('.job button').click()")
            _ = try await browser.text(of: "ul.exports:empty")
        }
    }
}
