import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import SQLiteStore
import Testing

@Suite("Sessions of the console in a browser", .enabled(if: Browser.isInstalled, Browser.skipped))
struct SessionTests {
    /// What a window still holds of whoever had signed in.
    private static let left = """
        return [document.body.innerText.includes('Anna Berg'), document.title, location.hash,
          document.querySelectorAll('#menu a, #page > *').length, document.querySelector('#name').textContent + document.querySelector('#role').textContent].join('|')
        """

    /// Longer than any token is good for, in seconds.
    private static let lifetime: Int64 = 400 * 86_400

    private static func server() async throws -> (ConsoleServer, SampleDevice) {
        let server = try await ConsoleServer()
        var device = SampleDevice()
        let patient = #"{"type":"Patient","value":[{"_id":"p1","name":"Anna Berg"}]}"#
        device.record(device.event("Open chart", data: patient))
        _ = try await server.store.accept(device.upload(1...1, seal: device.seal()))
        return (server, device)
    }

    @Test("signing out takes everything from every window, and going back shows nothing of it")
    func signingOut() async throws {
        let (server, device) = try await Self.server()
        try await server.open(as: .auditor) { browser, port in
            try await browser.visit("#/event/\(device.partition.value)/1", ".proof.proven")
            try await browser.visit("#/person/\(SampleDevice.owner.user)", ".subject .results tbody tr")
            let other = try await browser.openWindow(
                "http://127.0.0.1:\(port)/console#/event/\(device.partition.value)/1"
            )
            let shown = try await browser.text(of: ".held")
            #expect(shown.contains("Anna Berg"))

            try await browser.run("document.querySelector('#leave').click()")
            let told = try await browser.text(of: ".sign-in .notice")
            #expect(told == "You are signed out, in all windows of this browser.")
            let here = try await browser.run(Self.left)
            #expect(here == "false|Sign in · Daybook||0|")
            let status = try await browser.run("return (await fetch('/api/v1/search')).status")
            #expect(status == "401")
            let focused = try await browser.run("return document.activeElement.id")
            #expect(focused == "token")

            try await browser.turn(to: other)
            let elsewhere = try await browser.text(of: ".sign-in .notice")
            #expect(elsewhere == "You were signed out in another window.")
            let there = try await browser.run(Self.left)
            #expect(there == "false|Sign in · Daybook||0|")
            try await browser.goBack()
            _ = try await browser.text(of: "#token")
            let back = try await browser.run(
                "return document.body.innerText.includes('Anna Berg') + document.querySelector('#page').innerText"
            )
            #expect(back == "false")
        }
    }

    @Test("a server that does not answer cannot sign out, and the page says so")
    func unanswered() async throws {
        let (server, _) = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.setOffline(true)
            try await browser.run("document.querySelector('#leave').click()")
            let told = try await browser.text(of: "#announcer:not(:empty)")
            #expect(told.contains("does not answer"))
            let button = try await browser.text(of: "#leave:not([aria-disabled])")
            #expect(button == "Sign out (try again: no answer)")
            try await browser.setOffline(false)
            try await browser.run("document.querySelector('#leave').click()")
            _ = try await browser.text(of: ".sign-in .notice")
        }
    }

    @Test("a session that ends is told in words, and who signs in again is where they were, with what they had written")
    func expiry() async throws {
        let (server, device) = try await Self.server()
        try await server.open(as: .reviewer) { browser, _ in
            try await browser.visit("#/event/\(device.partition.value)/1", ".noted form textarea")
            try await browser.run("document.querySelector('.noted textarea').focus()")
            try await browser.type("She had no reason")
            server.clock.shift(by: Self.lifetime)
            try await browser.run("document.querySelector('.noted form').requestSubmit()")
            let told = try await browser.text(of: ".sign-in .notice")
            #expect(told.contains("Your session is over") && told.contains("still there"))
            try await browser.takePicture("session-over")
            let visible = try await browser.run("return document.querySelector('#page').checkVisibility()")
            #expect(visible == "false")

            try await browser.signIn(with: try await server.tokens.issue(.reviewer, for: .access))
            // What had been asked for is done now.
            let note = try await browser.text(of: ".notes .words")
            #expect(note == "She had no reason")
            let address = try await browser.run("return location.hash")
            #expect(address == "#/event/\(device.partition.value)/1")

            // Somebody with other rights gets a page of their own.
            server.clock.shift(by: Self.lifetime)
            try await browser.visit("#/search", ".sign-in .notice")
            try await browser.signIn(with: try await server.tokens.issue(.administrator, for: .access))
            let refused = try await browser.text(of: ".problem")
            #expect(refused.contains("An administrator keeps events and reads none."))
        }
    }

    @Test("masked values that were shown go with the session that asked for them")
    func unmasked() async throws {
        let mask = EventMask([try MaskedField("Patient.name")])
        let server = try await ConsoleServer(ServerConfiguration(apps: ["ward-app": AppSettings(mask: mask)]))
        var device = SampleDevice()
        let patient = #"{"type":"Patient","value":[{"_id":"p1","name":"Anna Berg"}]}"#
        device.record(device.event("Open chart", data: patient))
        _ = try await server.store.accept(device.upload(1...1, seal: device.seal()))
        try await server.open(as: .reviewer) { [device] browser, _ in
            try await browser.visit("#/event/\(device.partition.value)/1", "button.unmask")
            try await browser.run("document.querySelector('button.unmask').click()")
            _ = try await browser.text(of: "dialog[open] option[value=Complaint]")
            try await browser.fill("dialog form", ["unmask-purpose": "Complaint", "unmask-reason": "a letter"])
            let shown = try await browser.text(of: "[data-unmasked] .held")
            #expect(shown.contains("Anna Berg"))
            server.clock.shift(by: Self.lifetime)
            // The page may find out by itself before.
            try await browser.visit("#/search", ".sign-in .notice")
            let left = try await browser.run("return document.documentElement.outerHTML.includes('Anna Berg')")
            #expect(left == "false")
            try await browser.signIn(with: try await server.tokens.issue(.reviewer, for: .access))
            try await browser.visit("#/event/\(device.partition.value)/1", ".proof.masked")
        }
    }
}
