import ArgumentParser
import AuditAccounts
import AuditHTTP
import AuditKeeping
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import SQLiteStore
import Testing

@testable import DaybookCommand

@Suite("The commands of holds, erasures and retention")
struct KeepingCommandTests {
    /// A running server with three events, of which the first and the last are about the patient p1.
    private struct Server {
        let address: String
        let folder: DataFolder
        let accounts: InMemoryAccountStore

        func daybook(_ arguments: String...) async -> CommandOutcome {
            await CommandOutcome.of(
                arguments + ["--server", address, "--token-file", folder.administratorTokenPath]
            )
        }

        /// A token that the server issued for somebody, now or long ago.
        func token(_ identity: Identity, isOld: Bool = false) async throws -> String {
            let clock: any EventClock = isOld ? ManualClock() : SystemClock()
            let tokens = try await folder.tokenIssuer(clock: clock)
            guard case .uploader(let owner) = identity else { return try await tokens.issue(identity, for: .access) }
            return try await tokens.signIn(owner, in: accounts, clock: clock)
        }
    }

    private static func run(
        retention: RetentionRule? = nil,
        realmHistoryDays: Int? = nil,
        _ body: (Server) async throws -> Void
    ) async throws {
        let folder = try TestFolder.made()
        let data = try DataFolder(folder.path)
        let store = InMemoryEventStore()
        var device = SampleDevice()
        for (activity, keys) in [("Rounds", ["p1"]), ("Rounds", ["p2"]), ("Handover", ["p1", "p2"])] {
            let objects = keys.map { #"{"_id":"\#($0)"}"# }.joined(separator: ",")
            device.record(device.event(activity, data: #"{"type":"Patient","value":[\#(objects)]}"#))
        }
        _ = try await store.accept(device.upload(1...3, seal: device.seal()))
        let accounts = InMemoryAccountStore()
        let service = AuditService(
            configuration: ServerConfiguration(
                apps: ["ward-app": AppSettings(realmHistoryDays: realmHistoryDays, retention: retention)]
            ),
            store: store,
            index: try SearchIndex(),
            accounts: accounts,
            tokens: try await data.tokenIssuer(clock: SystemClock()),
            key: SampleDevice.serverKey,
            realms: InMemoryChangeStore()
        )
        // What has expired is for the commands.
        try await RunningServer.with(service) { port in
            try await body(Server(address: "http://127.0.0.1:\(port)", folder: data, accounts: accounts))
        }
    }

    // MARK: - What they do

    @Test("a hold is placed, listed and lifted, for people and as JSON")
    func holds() async throws {
        try await Self.run { server in
            let added = await server.daybook(
                "hold",
                "add",
                "--class",
                "Patient",
                "--key",
                "p1",
                "--reason",
                "a letter",
                "Case 7"
            )
            #expect(added.code == 0)
            #expect(added.output.wholeMatch(of: #/1  holds since \S+Z  Case 7  a letter\n/#) != nil)
            let odd = await server.daybook("hold", "add", "--person", "n1", "--reason", "r", "Case\u{1B}[2J")
            #expect(odd.message.hasPrefix("The server answered 400: "), "\(odd)")
            let second = await server.daybook("hold", "add", "--person", "n1", "--reason", "r", "Nurse", "--json")
            #expect(try second.lines(LegalHold.self).map(\.number) == [2])
            #expect(try second.lines(LegalHold.self).map(\.filter) == [KeepingFilter(person: "n1")])

            let lifted = await server.daybook("hold", "lift", "--reason", "settled", "1")
            #expect(lifted.output.wholeMatch(of: #/1  lifted \S+Z  .*  a letter\n/#) != nil)
            let again = await server.daybook("hold", "lift", "--reason", "settled", "1")
            #expect(again.code == 1)
            #expect(again.message.hasPrefix("The server answered 404: "))
            #expect(again.output.isEmpty)

            let listed = await server.daybook("hold", "list")
            #expect(listed.output.split(separator: "\n").map { $0.prefix(4) } == ["1  l", "2  h"])
            let holds = try await server.daybook("hold", "list", "--json").lines(LegalHold.self)
            #expect(holds.map(\.lifted?.reason) == ["settled", nil])
        }
    }

    @Test("an erasure is looked at, refused for a wrong number and for a hold, done, and listed")
    func erasing() async throws {
        try await Self.run { server in
            let filter = ["--class", "Patient", "--key", "p1"]
            func erase(_ more: String...) async -> CommandOutcome {
                await CommandOutcome.of(
                    ["erase", "--server", server.address, "--token-file", server.folder.administratorTokenPath]
                        + filter + more
                )
            }
            let place = "ward-000000000000000700000001"
            let looked = await erase()
            #expect(
                looked.output == """
                    2 events would be erased
                      2 of app ward-app
                      1 of them show other objects, too, and go as a whole
                      \(place)/1  received 2023-11-14T22:13:21.000000Z
                      \(place)/3  received 2023-11-14T22:13:21.000000Z

                    """
            )
            #expect(try await erase("--dry-run", "--json").lines(ErasurePreview.self).map(\.events) == [2])

            let wrong = await erase("--confirm", "3", "--reason", "asked")
            #expect(wrong.code == 1)
            #expect(wrong.output.isEmpty)
            #expect(wrong.message.hasPrefix("The server answered 409: "))
            #expect(wrong.message.contains("2 events fit, and not 3; look at them again"))

            _ = await server.daybook("hold", "add", "--activity", "Handover", "--reason", "r", "Case 7")
            let held = await erase()
            #expect(held.code == 0)
            #expect(held.output.contains("1 events would be erased\n"))
            #expect(held.output.contains("1 events are kept by the hold 'Case 7', which blocks the erasure\n"))
            let blocked = await erase("--confirm", "1", "--reason", "asked")
            #expect(blocked.code == 1)
            #expect(blocked.message.contains("409") && blocked.message.contains("the hold 'Case 7' keeps 1 of them"))
            #expect(await server.daybook("erasures").output == "")
            _ = await server.daybook("hold", "lift", "--reason", "settled", "1")

            let erased = await erase("--confirm", "2", "--reason", "Request of 3 May")
            #expect(erased.code == 0)
            #expect(erased.output.wholeMatch(of: #/1  \S+Z  request  2 events  Request of 3 May\n/#) != nil)
            #expect(await erase().output == "0 events would be erased\n")
            #expect(await server.daybook("erasures").output == erased.output)
            let records = try await server.daybook("erasures", "--json").lines(ErasureRecord.self)
            #expect(records.map(\.order.filter.objectKey) == ["p1"])
            #expect(records.map { $0.result?.events } == [2])
            let nothing = await erase("--confirm", "0", "--reason", "again", "--json")
            #expect(try nothing.lines(ErasureRecord.self).map { $0.result?.events } == [0])
        }
    }

    @Test("retention says what has expired, erases it when told, and says that there is nothing more")
    func retention() async throws {
        try await Self.run(retention: try RetentionRule(days: 30, events: ["write": 90])) { server in
            // The events are years old, and nothing else says what time it is.
            let doubted = await server.daybook("retention", "--run")
            #expect(doubted.message.contains("have it set, or say that it is right"))
            #expect(
                await server.daybook("retention").output
                    .hasSuffix(
                        "3 events have expired, 0 of them may go now without --confirm\n"
                    )
            )
            let believed = await server.daybook("retention", "--believe-clock", "--reason", "It is right.")
            #expect(believed.output.hasPrefix("The server's clock, 20"))
            #expect(
                await server.daybook("retention").output == "ward-app  30 days, write 90 days  3 events have expired\n"
            )
            _ = await server.daybook("hold", "add", "--activity", "Handover", "--reason", "r", "Case 7")
            #expect(
                await server.daybook("retention", "--dry-run").output
                    == "ward-app  30 days, write 90 days  2 events have expired, 1 are kept by holds\n"
            )
            let lines = try await server.daybook("retention", "--json").lines(RetentionLine.self)
            #expect(lines.map(\.expired) == [2])
            #expect(lines.map(\.held) == [["Case 7": 1]])

            let one = await server.daybook("retention", "--run", "--confirm", "1", "--reason", "The first.", "--json")
            #expect(try one.lines(ErasureRecord.self).map { $0.result?.events } == [1])
            let run = await server.daybook("retention", "--run")
            #expect(run.output.contains("  retention  1 events  events are kept for 30 days, 'write' for 90 days\n"))
            #expect(await server.daybook("retention", "--run").output == "no events have expired\n")
            #expect(await server.daybook("retention", "--run", "--json").output == "")
        }
        try await Self.run { server in
            #expect(await server.daybook("retention").output == "events are kept for ever\n")
        }
        try await Self.run(realmHistoryDays: 90) { server in
            let expected = "ward-app  for ever, logs of realms 90 days  0 events have expired\n"
            #expect(await server.daybook("retention").output == expected)
        }
    }

    // MARK: - What they refuse

    private static let place = ["--server", "http://127.0.0.1:1", "--token", "t"]

    @Test(
        "what makes no sense is refused with the code of a wrong usage, before anybody is asked",
        arguments: [
            ["erase", "--key", "p1", "--confirm", "1"], ["erase", "--key", "p1", "--reason", "r"],
            ["erase", "--key", "p1", "--dry-run", "--confirm", "1", "--reason", "r"],
            ["erase", "--key", "p1", "--confirm", "many", "--reason", "r"], ["erase", "p1"],
            ["hold", "add", "--key", "p1", "--reason", "r"], ["hold", "add", "--key", "p1", "Case"],
            ["hold", "lift", "--reason", "r"], ["hold", "lift", "--reason", "r", "one"], ["hold", "lift", "1"],
            ["hold", "remove", "1"], ["erasures", "--csv"], ["retention", "--run", "--dry-run"],
            ["retention", "--run", "--confirm", "5"], ["retention", "--confirm", "5", "--reason", "r"],
            ["retention", "--run", "--confirm", "0", "--reason", "r"], ["retention", "--run", "--reason", "r"],
            ["retention", "--believe-clock"], ["retention", "--run", "--believe-clock", "--reason", "r"],
        ]
    )
    func usage(arguments: [String]) async {
        let outcome = await CommandOutcome.of(arguments + Self.place)
        #expect(outcome.code == ExitCode.validationFailure.rawValue)
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "a filter, a time or a token that is none is named, and ends with 1",
        arguments: [
            (["erase", "--since", "noon"], "'noon' is not a time"),
            (["erase", "--until", "2026-02-30"], "'2026-02-30' is not a time"),
            (["hold", "add", "--received-since", "x", "--reason", "r", "Case"], "'x' is not a time"),
            (["erase", "--partition", "a b"], "a b"),
        ]
    )
    func malformed(arguments: [String], message: String) async {
        let outcome = await CommandOutcome.of(arguments + Self.place)
        #expect(outcome.code == 1)
        #expect(outcome.message.contains(message))
    }

    @Test("an erasure and a hold that name nothing are refused by the server")
    func unbounded() async throws {
        try await Self.run { server in
            for arguments in [["erase"], ["erase", "--app", "ward-app"], ["erase", "--until", "now"]] {
                let outcome = await CommandOutcome.of(
                    arguments + ["--server", server.address, "--token", try await server.token(.administrator)]
                )
                #expect(outcome.code == 1)
                #expect(outcome.message.hasPrefix("The server answered 400: "), "\(outcome.message)")
            }
            #expect(await server.daybook("hold", "add", "--reason", "r", "Case").message.contains("400"))
        }
    }

    private static let commands = [
        ["hold", "list"], ["hold", "add", "--key", "p1", "--reason", "r", "Case"],
        ["hold", "lift", "--reason", "r", "1"], ["erase", "--key", "p1"],
        ["erase", "--key", "p1", "--confirm", "2", "--reason", "r"], ["erasures"], ["retention"],
        ["retention", "--run"],
    ]

    @Test("a server that nobody reaches, and a missing token, are named in one sentence")
    func unreachable() async {
        for command in Self.commands {
            let outcome = await CommandOutcome.of(command + Self.place)
            #expect(outcome.code == 1)
            #expect(
                outcome.message == "The server http://127.0.0.1:1 cannot be reached: nobody listens there.",
                "\(command)"
            )
            let nobody = await CommandOutcome.of(command + ["--server", "http://127.0.0.1:1"])
            #expect(nobody.code == 1)
            #expect(nobody.message == "A server needs a token: --token TOKEN or --token-file FILE.")
            let missing = await CommandOutcome.of(
                command + ["--server", "http://127.0.0.1:1", "--token-file", "/none"]
            )
            #expect(missing.message == "There is no file /none.")
        }
    }

    @Test("a wrong or expired token is refused with 401, one without the right with 403, and nothing is done")
    func tokens() async throws {
        try await Self.run { server in
            let refused = [
                ("a.b.c", "401"), (try await server.token(.administrator, isOld: true), "401"),
                (try await server.token(.uploader(SampleDevice.owner)), "403"),
            ]
            for command in Self.commands {
                for (token, status) in refused {
                    let outcome = await CommandOutcome.of(command + ["--server", server.address, "--token", token])
                    #expect(outcome.code == 1)
                    #expect(
                        outcome.message.hasPrefix("The server answered \(status): "),
                        "\(command) \(outcome.message)"
                    )
                    #expect(!outcome.message.contains(token))
                    #expect(outcome.output.isEmpty)
                }
            }
            // Whoever may read everything sees what was held and erased, and changes nothing.
            let auditor = try await server.token(.auditor)
            for command in Self.commands {
                let outcome = await CommandOutcome.of(command + ["--server", server.address, "--token", auditor])
                let reads = [["hold", "list"], ["erasures"], ["retention"]].contains(command)
                #expect(outcome.code == (reads ? 0 : 1), "\(command) \(outcome.message)")
                if !reads { #expect(outcome.message.hasPrefix("The server answered 403: "), "\(command)") }
            }
            #expect(await server.daybook("hold", "list").output == "")
            #expect(await server.daybook("erasures").output == "")
        }
    }
}
