import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import SQLiteStore
import Testing

@testable import AuditAccounts

@Suite("Finding by name in the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct FindingTests {
    private static let hostile = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>"

    private static func server(hasLabels: Bool = true) async throws -> ConsoleServer {
        let labels = ClassLabels(hasLabels ? [ExactText("Patient"): try LabelTemplate("{family}, {given}")] : [:])
        let server = try await ConsoleServer(ServerConfiguration(apps: ["ward-app": AppSettings(labels: labels)]))
        var device = SampleDevice()
        let people = [("p1", "Müller", "Anna"), ("p2", "Berg", "Anna"), ("p3", hostile, "Eva")]
        for (key, family, given) in people {
            let data = #"{"type":"Patient","value":[{"_id":"\#(key)","family":"\#(family)","given":"\#(given)"}]}"#
            device.record(device.event("Rounds", data: data, metadata: try EventMetadata(["userId": "ada"])))
        }
        let old = #"{"_id":"p1","family":"Müller","given":"Anna"}"#
        let change = #"{"Patient":{"modifications":[{"newValue":{"family":"Weiß"},"oldValue":\#(old)}]}}"#
        device.record(device.event("Marriage", event: "write", data: change))
        _ = try await server.store.accept(device.upload(1...4))
        return server
    }

    @Test("a slash, some letters and Enter lead to an object by what it was called, and Escape leads back")
    func keyboard() async throws {
        try await Self.server()
            .open(as: .auditor) { browser, _ in
                try await browser.press(.slash)
                _ = try await browser.text(of: "dialog.find[open] [role=option]")
                #expect(try await browser.run("return document.activeElement.id") == "find-text")
                try await browser.press(.escape)
                #expect(try await browser.run("return document.querySelector('dialog.find')") == "null")

                try await browser.press(.slash)
                try await browser.type("mull an")
                _ = try await browser.text(of: "#find-0 .key")
                let first = try await browser.text(of: "dialog.find #find-0 b")
                #expect(first == "Müller, Anna")
                #expect(try await browser.text(of: "#find-help") == "1 name.")
                #expect(
                    try await browser.run(
                        "return document.querySelector('#find-text').getAttribute('aria-activedescendant')"
                    ) == "find-0"
                )
                #expect(try await browser.text(of: "#find-0").hasSuffix("p1 ward-app, last called so 2023-11-14 22:13"))
                try await browser.takePicture("find")
                try await browser.press(.enter)
                // By now the patient has another name; both are told.
                #expect(try await browser.text(of: ".subject h1").contains("Weiß, Anna"))
                let called = try await browser.text(of: ".called")
                #expect(
                    called.contains("Called Weiß, Anna in ward-app, in 1 event, last 2023-11-14 22:13:20")
                        && called.contains("Müller, Anna in ward-app, in 2 events")
                )
                #expect(try await browser.run("return document.title") == "Patient Weiß, Anna · Daybook")
            }
    }

    @Test("what is marked goes along with the arrow keys, and a hostile name is a text")
    func arrows() async throws {
        try await Self.server()
            .open(as: .auditor) { browser, _ in
                #expect(try await browser.text(of: ".results").contains("Patient Berg, Anna"))
                try await browser.run("document.querySelector('#find').click()")
                try await browser.type("script")
                _ = try await browser.text(of: "#find-0 .key")
                #expect(try await browser.text(of: "dialog.find #find-0 b").hasPrefix("<script>"))
                try await browser.press(.down)
                let marked = try await browser.run("return document.querySelector('[aria-selected=true]').innerText")
                #expect(marked == "Person script")
                try await browser.press(.down)
                try await browser.press(.down)
                #expect(
                    try await browser.run("return document.querySelector('[aria-selected=true]').innerText")
                        == "Events with the text script"
                )
                try await browser.press(.down)
                try await browser.press(.enter)
                #expect(try await browser.text(of: ".subject h1").contains("<script>"))
            }
    }

    @Test(
        "a slash in a field is a letter, pages are found by their names, and nothing is asked of an administrator's server"
    )
    func pages() async throws {
        let server = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.run("document.querySelector('#filter-text').focus()")
            try await browser.press(.slash)
            #expect(try await browser.run("return document.querySelector('dialog[open]')") == "null")
            try await browser.run("document.querySelector('#find').click()")
            try await browser.type("compl")
            #expect(try await browser.text(of: "#find-0") == "Page Completeness")
            // The server has no name that begins so; the pages stay.
            try await browser.run(
                "await new Promise((done) => { const look = () => document.querySelector('#find-help').textContent === 'No name of Patient begins so.' ? done() : requestAnimationFrame(look); look() })"
            )
            #expect(try await browser.text(of: "#find-0") == "Page Completeness")
            try await browser.press(.enter)
            _ = try await browser.text(of: "[data-page=completeness][aria-current]")
        }
        try await server.open(as: .administrator) { browser, _ in
            try await browser.run("document.querySelector('#find').click()")
            try await browser.type("k")
            #expect(try await browser.text(of: "#find-list") == "Page Keeping")
            #expect(try await browser.text(of: "#find-help") == "The name of a page. Enter opens what is marked.")
        }
    }

    @Test("Enter waits for the names that come first, and what somebody chose stays chosen when they come")
    func waiting() async throws {
        try await Self.server()
            .open(as: .auditor) { browser, _ in
                // The answer is held back until both keys were pressed.
                try await browser.run(
                    """
                    const real = window.fetch
                    window.fetch = (path, options) => String(path).includes('/names?text') ? new Promise((done) => { window.answer = done }).then(() => real(path, options)) : real(path, options)
                    """
                )
                try await browser.press(.slash)
                try await browser.type("berg")
                try await browser.press(.enter)
                try await browser.run(
                    "await new Promise((done) => { const look = () => window.answer ? done() : requestAnimationFrame(look); look() })"
                )
                #expect(try await browser.run("return document.querySelector('dialog.find').open") == "true")
                try await browser.run("window.answer()")
                #expect(try await browser.text(of: ".subject h1").contains("Berg, Anna"))

                try await browser.run("window.answer = null")
                try await browser.press(.slash)
                try await browser.type("berg")
                try await browser.press(.down)
                try await browser.run(
                    "await new Promise((done) => { const look = () => window.answer ? done() : requestAnimationFrame(look); look() })"
                )
                try await browser.run("window.answer()")
                _ = try await browser.text(of: "#find-0 .key")
                #expect(
                    try await browser.run("return document.querySelector('[aria-selected=true]').innerText")
                        == "Object with the key berg"
                )
            }
    }

    @Test("a session that ends closes the bar until somebody signs in again, and takes it away when they sign out")
    func session() async throws {
        let server = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.press(.slash)
            server.clock.shift(by: 400 * 86_400)
            try await browser.type("berg")
            _ = try await browser.text(of: ".sign-in .notice")
            #expect(try await browser.run("return document.activeElement.id") == "token")
            #expect(try await browser.run("return document.querySelector('dialog.find').open") == "false")
            try await browser.signIn(with: try await server.tokens.issue(.auditor, for: .access))
            _ = try await browser.text(of: "#find-0 .key")
            #expect(try await browser.text(of: "#find-0 b") == "Berg, Anna")
            #expect(try await browser.run("return document.querySelector('#find-text').value") == "berg")

            // What another window says when somebody signs out there.
            try await browser.run("new BroadcastChannel('daybook-session').postMessage('out')")
            let told = try await browser.text(of: ".sign-in .notice")
            #expect(told == "You were signed out in another window.")
            #expect(try await browser.run("return document.querySelector('dialog.find')") == "null")
            let left = try await browser.run("return document.body.innerHTML.includes('Berg')")
            #expect(left == "false")
        }
    }

    @Test("where no class has a label, the bar says what gives it one")
    func unnamed() async throws {
        try await Self.server(hasLabels: false)
            .open(as: .auditor) { browser, _ in
                try await browser.press(.slash)
                try await browser.type("anna")
                try await browser.run(
                    "await new Promise((done) => { const look = () => document.querySelector('#find-help').textContent.includes('labels') ? done() : requestAnimationFrame(look); look() })"
                )
                #expect(try await browser.text(of: "#find-help").hasPrefix("No class has a name"))
            }
    }
}
