import AuditServer
import AuditServerTesting
import EventModel
import Foundation
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
        let folder = try TemporaryFolder()
        let store = try SQLiteEventStore(path: folder.file("db"))
        var device = SampleDevice()
        for person in ["ada", "<b>bob</b>"] {
            let metadata = try EventMetadata(["userId": person])
            device.record(
                device.event("Open chart", data: #"{"type":"Patient","value":[{"_id":"p1"}]}"#, metadata: metadata)
            )
        }
        _ = try await store.accept(device.upload(1...2, seal: device.seal()))
        let tokens = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: SystemClock())
        let key = try SigningKey(SigningKey.makeKey())
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: store,
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: key,
            exports: try ExportFolder(folder.file("exports"))
        )
        let token = try await tokens.issue(.auditor, for: .access)
        try await RunningServer.with(service) { port in
            let browser = try await Browser()
            try await browser.resize(1280, 900, isDark: false)
            try await browser.open("http://127.0.0.1:\(port)/console")
            _ = try await browser.text(of: "#token")
            try await browser.run(
                "document.querySelector('#token').value = '\(token)'; document.querySelector('form').requestSubmit()"
            )
            _ = try await browser.text(of: ".results tbody tr")
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
            let copy = folder.file("copy")
            try PrivateFile.makeFolder(copy)
            for name in [
                "events.csv", "events.jsonl", "events.fhir.ndjson", "proofs.jsonl", "manifest.json", "signature.json",
            ] {
                try await Self.file(name, in: browser).write(to: URL(filePath: "\(copy)/\(name)"))
            }
            var verification = ExportVerification(folder: copy, key: key.publicKey)
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
            try await browser.close()
        }
    }
}
