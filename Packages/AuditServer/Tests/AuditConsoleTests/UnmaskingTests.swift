import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import Testing

@Suite("Masked values in a browser", .enabled(if: Browser.isInstalled, Browser.skipped), .serialized)
struct UnmaskingTests {
    private static func configuration() throws -> ServerConfiguration {
        let mask = EventMask([try MaskedField("Patient.name"), try MaskedField("metadata:userId")])
        return ServerConfiguration(apps: ["ward-app": AppSettings(mask: mask)])
    }

    @Test(
        "a reviewer has masked values shown with a reason, the proof is then of the whole event, and the trail says so"
    )
    func unmasking() async throws {
        try await ConsoleTests.inConsole(as: .reviewer, try Self.configuration()) { browser, _, device in
            try await ConsoleTests.open("#/event/\(device.partition.value)/1", in: browser)
            #expect(try await browser.text(of: ".proof.masked .badge") == "Masked")
            let masked = try await browser.text(of: ".held")
            #expect(masked.contains("masked text") && !masked.contains("Anna"))
            try await browser.takePicture("masked")

            // Escape closes the dialog, and the focus is back where it was.
            try await browser.run("document.querySelector('button.unmask').focus()")
            try await browser.run("document.activeElement.click()")
            _ = try await browser.text(of: "dialog[open] option:nth-child(2)")
            #expect(try await browser.run("return document.activeElement.id") == "unmask-purpose")
            for _ in 1...8 {
                try await browser.press(.tab)
                let place = try await browser.run(
                    "return document.activeElement === document.body || !!document.activeElement.closest('dialog')"
                )
                #expect(place == "true")
            }
            try await browser.takePicture("unmask")
            try await browser.press(.escape)
            _ = try await browser.text(of: "body:not(:has(dialog))")
            #expect(try await browser.run("return document.activeElement.className") == "unmask")

            try await browser.run("document.activeElement.click()")
            _ = try await browser.text(of: "dialog[open] option[value=Complaint]")
            try await browser.run(
                """
                document.querySelector('#unmask-purpose').value = 'Complaint'
                document.querySelector('#unmask-reason').value = 'letter of 12 May'
                document.querySelector('dialog form').requestSubmit()
                """
            )
            #expect(try await browser.text(of: ".proof.proven .badge") == "Proven")
            #expect(try await browser.text(of: ".held").contains("Anna Berg"))
            try await browser.takePicture("unmasked")
            let kept = try await browser.run(
                """
                const databases = await indexedDB.databases()
                return JSON.stringify([localStorage, sessionStorage, document.cookie, history.state, databases.length,
                  location.href.includes("Anna")])
                """
            )
            #expect(kept == #"[{},{},"",null,0,false]"#)

            try await browser.run("document.querySelector('button.unmask').click()")
            _ = try await browser.text(of: ".proof.masked")
            #expect(try await !browser.text(of: ".held").contains("Anna"))

            try await ConsoleTests.open("#/trail?activity=unmask%20event", in: browser)
            let row = try await browser.text(of: ".results tbody tr.audit")
            #expect(
                row.contains("Complaint: letter of 12 May") && row.contains("the token of the data folder reviewer")
            )
            try await browser.takePicture("unmaskings")
        }
    }

    @Test(
        "a reviewer has the masked values of one object shown in a time for one reason, and nothing of others beside it"
    )
    func object() async throws {
        try await ConsoleTests.inConsole(as: .reviewer, try Self.configuration()) { browser, _, device in
            try await ConsoleTests.open("#/object/Patient/p1", in: browser)
            _ = try await browser.text(of: ".veil button.unmask")
            try await browser.run("document.querySelector('.veil button.unmask').focus()")
            try await browser.run("document.activeElement.click()")
            _ = try await browser.text(of: "dialog[open] option[value=Complaint]")
            let span = try await browser.run(
                "return ['since', 'until'].map((name) => document.querySelector(`#unmask-${name}`).value).join(' ')"
            )
            #expect(span == "2023-11-14T22:13:20 2023-11-14T22:13:21")
            try await browser.takePicture("unmask-object")
            try await browser.run(
                """
                document.querySelector('#unmask-purpose').value = 'Complaint'
                document.querySelector('#unmask-reason').value = 'letter of 12 May'
                document.querySelector('dialog form').requestSubmit()
                """
            )
            let shown = try await browser.text(of: ".revealed")
            #expect(shown.contains("Anna Berg") && !shown.contains("p2"))
            #expect(try await browser.run("return document.activeElement.id") == "revealed")
            #expect(try await browser.run("return document.querySelectorAll('.revealed article').length") != "0")
            try await browser.takePicture("unmasked-object")
            try await browser.resize(390, 800, isDark: true)
            try await browser.takePicture("unmasked-object-narrow")

            try await browser.run("document.querySelector('.revealed button.unmask').click()")
            _ = try await browser.text(of: ".veil > .notice")
            #expect(try await !browser.run("return document.body.innerText").contains("Anna"))

            try await ConsoleTests.open("#/trail?activity=unmask%20object", in: browser)
            let row = try await browser.text(of: ".results tbody tr.audit")
            #expect(row.contains("Complaint: letter of 12 May") && row.contains("Patient p1 in 2 events"))
        }
    }

    @Test("an auditor sees that values are masked, and no way to have them shown")
    func auditor() async throws {
        try await ConsoleTests.inConsole(as: .auditor, try Self.configuration()) { browser, _, device in
            try await ConsoleTests.open("#/event/\(device.partition.value)/2", in: browser)
            _ = try await browser.text(of: ".proof.masked")
            #expect(try await browser.text(of: ".notice").contains("A reviewer may have them shown"))
            #expect(try await browser.run("return document.querySelectorAll('button.unmask').length") == "0")
        }
    }
}
