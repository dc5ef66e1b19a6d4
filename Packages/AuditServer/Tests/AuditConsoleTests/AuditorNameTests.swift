import AuditHTTP
import AuditModel
import AuditServerTesting
import Testing

@Suite("Names of auditors in the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct AuditorNameTests {
    /// Issues a token to somebody, as the administrator who has signed in.
    private static func token(for name: String, _ role: String, in browser: Browser) async throws -> (
        text: String, id: String
    ) {
        let answer = try await browser.run(
            """
            const body = JSON.stringify({ role: '\(role)', name: '\(name)' })
            const { token, id } = await (await fetch('/api/v1/tokens', { method: 'POST', body })).json()
            return `${token} ${id}`
            """
        )
        let parts = answer.split(separator: " ").map(String.init)
        return (try #require(parts.first), try #require(parts.last))
    }

    private static let who =
        "return [...new Set([...document.querySelectorAll('.results .who')].map((one) => one.textContent))].sort().join()"

    @Test("the bar and the auditors' trail name whom a token was issued to, and not its id")
    func names() async throws {
        let server = try await ConsoleServer()
        try await server.open(as: .administrator) { browser, _ in
            #expect(try await browser.text(of: "#name") == "the token of the data folder")
            let token = try await Self.token(for: "Ada Keller", "reviewer", in: browser)
            try await browser.run("document.querySelector('#leave').click()")
            try await browser.signIn(with: token.text)
            #expect(try await browser.text(of: "#name") == "Ada Keller")
            #expect(try await browser.text(of: "#role") == "Reviewer")

            try await browser.visit("#/trail", ".results tbody tr.audit")
            let everybody = try await browser.run(Self.who)
            #expect(everybody == "Ada Keller reviewer,the token of the data folder administrator")
            try await browser.takePicture("auditors")

            // A name leads to what this auditor did, and to nothing else.
            try await browser.run(
                "[...document.querySelectorAll('.results .who a')].find((a) => a.textContent === 'Ada Keller').click()"
            )
            _ = try await browser.text(of: ".chips")
            _ = try await browser.text(of: ".results tbody tr.audit")
            #expect(try await browser.run(Self.who) == "Ada Keller reviewer")
        }
    }

    @Test("holds are placed by the name that a token was issued to")
    func holds() async throws {
        let server = try await ConsoleServer()
        try await server.open(as: .administrator) { browser, _ in
            let token = try await Self.token(for: "Noor Haddad", "administrator", in: browser)
            try await browser.run("document.querySelector('#leave').click()")
            try await browser.signIn(with: token.text)
            _ = try await browser.text(of: ".keeping")
            let hold = ["hold-name": "case 7", "hold-reason": "court", "hold-person": "ada"]
            try await browser.fill("[aria-label='Place a hold']", hold)
            let row = try await browser.text(of: ".keeping tbody tr")
            #expect(row.contains("by Noor Haddad") && !row.contains(token.id))
        }
    }
}
