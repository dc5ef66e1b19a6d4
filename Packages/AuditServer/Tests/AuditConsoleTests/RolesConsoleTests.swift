import AuditAccounts
import AuditHTTP
import AuditModel
import AuditReview
import AuditServerTesting
import EventModel
import SQLiteStore
import Testing

@Suite("Roles in the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct RolesConsoleTests {
    private static let all =
        "Search, Timeline, Reconstruct, Completeness, Views, Reviews, Alerts, Exports, Keeping, Auditors"

    /// Who signs in, what their menu has, what the bar calls them, and which pages are refused with which words.
    private static let roles: [(Identity, menu: String, name: String, refused: [(page: String, words: String)])] = [
        (.reviewer, all, "Reviewer", []), (.auditor, all, "Auditor", []),
        (
            .auditor(apps: ["ward-app"]),
            "Search, Timeline, Reconstruct, Completeness, Views, Reviews, Alerts, Exports",
            "Auditor of ward-app",
            [
                ("keeping", "your token is for ward-app alone"), ("trail", "your token is for ward-app alone"),
            ]
        ),
        (
            .administrator, "Keeping", "Administrator",
            [
                "search", "timeline", "reconstruct", "completeness", "views", "reviews", "alerts", "exports", "trail",
                "event/ward-000000000000000700000001/1", "object/Patient/p1", "person/ada",
            ]
            .map { ($0, "An administrator keeps events and reads none.") }
        ),
    ]

    @Test("everybody's menu has what they may open, and an address of another page says why it stays closed")
    func menus() async throws {
        let server = try await ConsoleServer()
        var device = SampleDevice()
        device.record(["Open chart"])
        _ = try await server.store.accept(device.upload(1...1, seal: device.seal()))
        try await server.open(as: .reviewer) { browser, _ in
            for (identity, menu, name, refused) in Self.roles {
                try await browser.run("document.querySelector('#leave').click()")
                try await browser.signIn(with: try await server.tokens.issue(identity, for: .access))
                let items = try await browser.run(
                    "return [...document.querySelectorAll('#menu a')].map((link) => link.firstChild.textContent).join(', ')"
                )
                #expect(items == menu)
                let shown = try await browser.text(of: "#role")
                #expect(shown == name)
                for page in menu.split(separator: ", ") {
                    try await browser.run("document.querySelector('#page').replaceChildren()")
                    let address = page == "Auditors" ? "trail" : page.lowercased()
                    try await browser.visit("#/", "#page h1")
                    try await browser.visit("#/\(address)", "#menu [data-page=\(address)][aria-current]")
                    _ = try await browser.text(of: "#page h1")
                    let problem = try await browser.run("return document.querySelectorAll('.problem').length")
                    #expect(problem == "0", "\(name) opens \(page)")
                }
                for (page, words) in refused {
                    try await browser.visit("#/nowhere", ".problem")
                    let told = try await browser.visit("#/\(page)", ".problem:not(:has([href='#/nowhere']))")
                    #expect(told.contains("This page is not yours to see") && told.contains(words), "\(name), \(page)")
                }
            }
            let nowhere = try await browser.visit("#/nowhere", ".problem")
            #expect(nowhere.contains("There is nothing here"))
        }
    }

    @Test("what only a reviewer may do is offered to nobody else")
    func reviewing() async throws {
        let rule = AlertRule("named", .namedRecords([NamedRecord(objectClass: "Patient", key: "p1")]))
        let server = try await ConsoleServer(ServerConfiguration(alerts: AlertSettings(rules: [rule])))
        var device = SampleDevice()
        device.record(device.event("Open chart", data: #"{"type":"Patient","value":[{"_id":"p1"}]}"#))
        let later = EventInstant(microseconds: server.clock.now().wall.microseconds + 3_600_000_000)
        let upload = try EventUpload(
            device.stretch(1...1),
            owner: SampleDevice.owner,
            received: later,
            signedBy: SampleDevice.serverKey,
            extendsSchema: true
        )
        _ = try await server.store.accept(upload)
        let offers = "return document.querySelectorAll('.plan, .sign, form.answer, .work').length"
        try await server.open(as: .reviewer) { browser, _ in
            try await browser.visit("#/search?class=Patient", ".chips")
            try await browser.fill(".save form", ["view-name": "Patients"])
            _ = try await browser.text(of: ".plan")
            try await browser.run("document.querySelector('#view-shared')?.click()")
            try await browser.visit("#/alerts", "form.answer")
            try await browser.run("document.querySelector('#leave').click()")
            try await browser.signIn(with: try await server.tokens.issue(.auditor, for: .access))
            for (page, selector) in [
                ("views", ".kept"), ("reviews", ".kept"), ("alerts", ".card.alert"), ("keeping", ".keeping"),
            ] {
                try await browser.visit("#/\(page)", selector)
                let offered = try await browser.run(offers)
                #expect(offered == "0", "\(page)")
            }
            let told = try await browser.text(of: ".keeping")
            #expect(told.contains("You may read what was done."))
        }
    }
}
