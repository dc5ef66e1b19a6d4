import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import SQLiteStore
import Testing

@testable import DaybookCommand

@Suite("daybook devices", .timeLimit(.minutes(5)))
struct DevicesCommandTests {
    /// Runs a server to which two devices have sealed a partition each, and gives commands to it.
    private func run(_ body: ([String], _ administrator: String, _ auditor: String) async throws -> Void) async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let store = InMemoryEventStore()
        try await store.acceptSealed(1...2)
        let service = AuditService(
            configuration: ServerConfiguration(limits: .forPolling),
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: try await data.tokenIssuer(clock: SystemClock()),
            key: SampleDevice.serverKey,
            ids: ObjectIdGenerator.system
        )
        let tokens = try await data.tokenIssuer(clock: SystemClock())
        for (identity, name) in [(Identity.administrator, "admin"), (Identity.auditor, "auditor")] {
            let token = try await tokens.issue(identity, for: .access)
            try PrivateFile.write(Array(token.utf8), to: folder.file("\(name).token"))
        }
        try await RunningServer.with(service) { port in
            try await body(
                ["--server", "http://127.0.0.1:\(port)"],
                folder.file("admin.token"),
                folder.file("auditor.token")
            )
        }
    }

    @Test("a key is listed, revoked, told by verify, and believed again")
    func story() async throws {
        try await run { server, administrator, auditor in
            let asAuditor = server + ["--token-file", auditor]
            let listed = await CommandOutcome.of(["devices", "list"] + asAuditor)
            let row = try #require(listed.output.split(separator: "\n").first)
            let key = String(row.prefix(64))
            #expect(listed.code == 0 && listed.output.contains("ward-app") && !listed.output.contains("revoked"))
            #expect(row.hasSuffix("  not registered"))

            let whose = ["--app", "ward-app", "--user", SampleDevice.owner.user, "--token-file", administrator]
            let revoked = await CommandOutcome.of(
                ["devices", "revoke"] + server + whose + ["--since", "2023-01-01", "--reason", "Stolen", key]
            )
            #expect(revoked.code == 0, "\(revoked.fullMessage)")
            #expect(revoked.output.hasPrefix("\(key)  revoked as of 2023-01-01T00:00:00.000000Z, recorded at "))
            let again = await CommandOutcome.of(["devices", "list"] + asAuditor)
            #expect(again.output.contains("  revoked as of 2023-01-01T00:00:00.000000Z: Stolen\n"))
            let json = await CommandOutcome.of(["devices", "list", "--json"] + asAuditor)
            #expect(json.output.contains(#""revokedSince":"2023-01-01T00:00:00.000000Z""#))

            let verified = await CommandOutcome.of(["verify"] + asAuditor)
            #expect(verified.code == 1)
            #expect(verified.output.contains("sealed with a key that was revoked as of 2023-01-01T00:00:00.000000Z."))

            let reinstated = await CommandOutcome.of(
                ["devices", "reinstate"] + server + whose + ["--reason", "Found", key]
            )
            #expect(reinstated.code == 0 && reinstated.output.hasPrefix("\(key)  believed again, recorded at "))
            let believed = await CommandOutcome.of(["verify"] + asAuditor)
            #expect(believed.code == 0, "\(believed.output)")
            let last = await CommandOutcome.of(["devices", "list"] + asAuditor)
            #expect(last.code == 0 && !last.output.contains("revoked"))
        }
    }

    @Test("the list says since when a key is registered, and whose else it is")
    func registered() throws {
        func line(_ user: String, _ key: String, app: String = "ward-app") throws -> DeviceLine {
            let text =
                #"{"app":"\#(app)","user":"\#(user)","publicKey":"\#(key)","firstSeen":"1","lastSeen":"2","partitions":1,"firstEntry":0}"#
            return try JSONDecoder().decode(DeviceLine.self, from: Data(text.utf8))
        }
        func registration(_ user: String, _ key: String) throws -> KeyRegistrationText {
            let text = #"{"app":"ward-app","user":"\#(user)","publicKey":"\#(key)","registered":"at \#(user)"}"#
            return try JSONDecoder().decode(KeyRegistrationText.self, from: Data(text.utf8))
        }
        let lines = [
            try line("u", "aa"), try line("v", "bb"), try line("w", "cc"), try line("s", "dd", app: TrailEvent.app),
        ]
        let known = [try registration("u", "aa"), try registration("x", "aa"), try registration("w", "cc")]
        let rows = DeviceLine.lines(lines, registered: known).map(\.row)
        #expect(rows[0].hasSuffix("  registered at u  also of another user\n"))
        #expect(rows[1].hasSuffix("  not registered\n") && rows[2].hasSuffix("  registered at w\n"))
        #expect(!rows[3].contains("registered"), "a server registers no key of its own")
        let before = DeviceLine.lines(lines, registered: nil).map(\.row)
        #expect(!before.joined().contains("registered"), "a server of an earlier version does not say")
    }

    @Test("what cannot be said of a key is refused with what it should be")
    func refused() async throws {
        try await run { server, administrator, auditor in
            let whose = ["--app", "ward-app", "--user", "u", "--reason", "Stolen"]
            let key = String(repeating: "a", count: 64)
            for (token, more, words) in [
                (auditor, [key], "administrator"), (administrator, ["key"], "64 hexadecimal digits"),
                (administrator, ["--since", "2126-01-01", key], "has passed"),
                (administrator, ["--since", "yesterday", key], "yesterday"),
            ] {
                let outcome = await CommandOutcome.of(
                    ["devices", "revoke"] + server + whose + ["--token-file", token] + more
                )
                #expect(outcome.code != 0 && outcome.fullMessage.contains(words), "\(outcome.fullMessage)")
            }
        }
    }
}
