import ArgumentParser
import AuditHTTP
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import SQLiteStore
import Testing

@testable import DaybookCommand

@Suite("Alerts and reviews in the command")
struct ReviewingTests {
    @Test("an alert is one row, and no text of an app reaches the terminal's controls")
    func alertRow() throws {
        let text = #"""
            {"id":"0123456789abcdef0123456789abcdef","rule":"names","kind":"namedRecord","app":"ward-app",
             "person":"ada\u001b[2J","partition":"ward-000000000000000700000001","sequence":3,"class":"Patient","key":"p1",
             "from":"2026-01-31T08:30:00.000000Z","through":"2026-01-31T08:30:00.000000Z",
             "raised":"2026-01-31T08:31:00.000000Z","event":{"partition":"auditors-000000000000000000000001","sequence":9}}
            """#
        let alert = try JSONDecoder().decode(AlertLine.self, from: Data(text.utf8))

        #expect(
            AlertsCommand.row(alert)
                == "0123456789abcdef0123456789abcdef  2026-01-31T08:31:00.000000Z  namedRecord  names  ada\u{FFFD}[2J  "
                + "Patient p1  ward-000000000000000700000001/3  open\n"
        )
    }

    @Test("a review is one row, which says when its events could not all be counted")
    func reviewRow() throws {
        let text = #"""
            {"id":"0123456789abcdef01234567","name":"Nights","query":"","period":"daily","zone":"UTC",
             "from":"2026-01-30T08:30:00.000000Z","through":"2026-01-31T08:30:00.000000Z",
             "due":"2026-01-31T00:00:00.000000Z","state":"due","events":7,"isExact":false,"alerts":1}
            """#
        let review = try JSONDecoder().decode(ReviewLine.self, from: Data(text.utf8))

        #expect(
            ReviewsCommand.row(review)
                == "0123456789abcdef01234567  due  due 2026-01-31T00:00:00.000000Z  daily  at least 7 events  1 alerts  Nights\n"
        )
    }

    @Test("both commands list what a server has")
    func lists() async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.file("data"))
        let tokens = try await data.tokenIssuer(clock: SystemClock())
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: try SQLiteEventStore(path: data.databasePath),
            index: try SearchIndex(),
            accounts: try SQLiteAccountStore(path: data.accountsPath),
            tokens: tokens,
            key: SampleDevice.serverKey
        )
        try await RunningServer.with(service) { port in
            let server = ["--server", "http://127.0.0.1:\(port)", "--token-file", data.auditorTokenPath]
            for arguments in [
                ["alerts", "--state", "all"], ["alerts", "--json"], ["reviews"], ["reviews", "--json"],
            ] {
                let parsed = try DaybookCommand.parseAsRoot(arguments + server)
                var command = try #require(parsed as? any AsyncParsableCommand)
                try await command.run()
            }
        }
    }
}
