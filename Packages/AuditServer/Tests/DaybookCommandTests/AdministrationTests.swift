import ArgumentParser
import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import ChangeModel
import EventModel
import EventModelTesting
import Foundation
import SQLiteStore
import SyncServer
import Testing

@testable import DaybookCommand

@Suite("Administration with commands")
struct AdministrationTests {
    private func server(
        _ store: InMemoryEventStore = InMemoryEventStore(),
        accounts: InMemoryAccountStore = InMemoryAccountStore(),
        realms: InMemoryChangeStore = InMemoryChangeStore(),
        _ body: (RemoteServer, Int) async throws -> Void
    ) async throws {
        let folder = try TestFolder.made()
        let tokens = try await DataFolder(folder.path).tokenIssuer(clock: SystemClock())
        let token = try await tokens.issue(.administrator, for: .access)
        let service = AuditService(
            configuration: ServerConfiguration(
                apps: ["ward-app": AppSettings(emailPassword: .signIn)],
                passwordCost: 10
            ),
            store: store,
            index: try SearchIndex(),
            accounts: accounts,
            tokens: tokens,
            key: SampleDevice.serverKey,
            realms: realms
        )
        try await RunningServer.with(service) { port in
            try await body(RemoteServer("http://127.0.0.1:\(port)", token: token), port)
        }
    }

    @Test("users are added, listed, given another password and removed by id or address")
    func users() async throws {
        try await server { remote, _ in
            let directory = UserDirectory(server: remote, app: "ward-app")
            #expect(try await directory.users() == [])
            let nurse = try await directory.add("nurse+1@ward.example", password: "correct horse")
            let doctor = try await directory.add("Doctor@ward.example", password: "correct horse")
            #expect(
                try await directory.users() == [
                    ListedUser(userID: doctor, email: "doctor@ward.example"),
                    ListedUser(userID: nurse, email: "nurse+1@ward.example"),
                ]
            )
            try await directory.setPassword("another horse", of: "nurse+1@ward.example")
            #expect(try await directory.remove("NURSE+1@ward.example") == nurse)
            #expect(try await directory.remove(doctor) == doctor)
            #expect(try await directory.users() == [])
            await #expect(throws: CommandError.missingUser("nurse+1@ward.example")) {
                try await directory.remove("nurse+1@ward.example")
            }
        }
    }

    @Test("the sessions of a user are listed, and one or all are ended, by address or id")
    func sessions() async throws {
        let accounts = InMemoryAccountStore()
        try await server(accounts: accounts) { remote, port in
            let directory = UserDirectory(server: remote, app: "ward-app")
            let nurse = try await directory.add("nurse@ward.example", password: "correct horse")
            for number in 1...3 {
                let session = UserSession(
                    id: "00000000000000000000000\(number)",
                    owner: EventOwner(app: "ward-app", user: nurse),
                    provider: "local-userpass",
                    at: EventInstant(microseconds: 0),
                    from: "10.0.0.\(number)"
                )
                _ = try await accounts.begin(session, provenBy: nil, maximum: 9)
            }
            let listed = try await directory.sessions(of: "nurse@ward.example")
            #expect(listed.map(\.address) == ["10.0.0.1", "10.0.0.2", "10.0.0.3"])
            #expect(try await directory.endSessions(of: "nurse@ward.example", only: listed[1].id) == 1)
            #expect(try await directory.sessions(of: nurse).map(\.id) == [listed[0].id, listed[2].id])
            let place = [
                "--server", "http://127.0.0.1:\(port)", "--token", remote.token, "--app", "ward-app", "--json",
            ]
            for arguments in [["sessions"], ["sign-out"]] {
                var command = try #require(
                    try DaybookCommand.parseAsRoot(["users"] + arguments + place + [nurse]) as? any AsyncParsableCommand
                )
                try await command.run()
            }
            #expect(try await directory.sessions(of: nurse) == [])
            #expect(try await directory.endSessions(of: nurse, only: nil) == 0)
            let missing = await #expect(throws: CommandError.self) {
                try await directory.endSessions(of: nurse, only: listed[0].id)
            }
            #expect(missing?.description.contains("no such session") == true)
        }
    }

    @Test("what the server refuses is one sentence of its own")
    func refusals() async throws {
        try await server { remote, _ in
            let directory = UserDirectory(server: remote, app: "ward-app")
            _ = try await directory.add("a@b", password: "long enough")
            let again = await #expect(throws: CommandError.self) {
                try await directory.add("a@b", password: "long enough")
            }
            #expect(again?.description == "The server answered 409: The address is registered already.")
            let short = await #expect(throws: CommandError.self) { try await directory.add("c@d", password: "short") }
            #expect(short?.description.contains("at least 8 characters") == true)
            #expect(short?.description.contains("short.") == false)
            let elsewhere = UserDirectory(server: remote, app: "other")
            #expect(try await elsewhere.users() == [])
        }
    }

    @Test("schema add creates the collection and adds columns")
    func schema() async throws {
        let store = InMemoryEventStore()
        try await server(store) { remote, port in
            let place = ["--server", "http://127.0.0.1:\(port)", "--token", remote.token, "--app", "ward-app"]
            for columns in [["userId", "ward id"], [], ["shift", "userId"]] {
                let command = try DaybookCommand.parseAsRoot(["schema", "add", "--json"] + place + columns)
                let add = try #require(command as? SchemaAddCommand)
                try await add.run()
            }
        }
        #expect(try await store.metadataColumns(of: "ward-app") == ["userId", "ward id", "shift"])
    }

    @Test("schema classes add shows what it would add, adds it, and reads what schema classes --json wrote")
    func classes() async throws {
        let (realms, folder) = (InMemoryChangeStore(), try TestFolder.made())
        let pet = SyncSchema.Class("Pet", key: "_id", properties: ["_id": .init(.int), "name": .init(.string)])
        let file = "\(folder.path)/ward.json"
        try Data(SyncSchema([pet]).json.utf8).write(to: URL(fileURLWithPath: file))
        try await server(realms: realms) { remote, port in
            let place = ["--server", "http://127.0.0.1:\(port)", "--token", remote.token, "--app", "ward-app"]
            let classes = AppClasses(server: remote, app: "ward-app")
            func add(_ options: String...) async throws {
                let command = try DaybookCommand.parseAsRoot(["schema", "classes", "add", file] + options + place)
                try await #require(command as? ClassesAddCommand).run()
            }
            try await add("--check")
            #expect(try await classes.schema() == SyncSchema())
            #expect(
                try await classes.missing(of: SyncSchema([pet])).text(isAdded: false)
                    == "class     Pet\n1 class and 0 properties would be added\n"
            )
            try await add("--json")
            #expect(try await classes.schema() == SyncSchema([pet]))
            #expect(
                try await classes.schema().table
                    == "Pet\n  _id                     int\n  name                    string\n"
            )

            var other = pet
            other.properties["name"] = .init(.bool)
            other.properties["age"] = .init(.int, isOptional: true)
            try Data(SyncSchema([other]).json.utf8).write(to: URL(fileURLWithPath: file))
            let contradicted = await #expect(throws: CommandError.self) { try await add() }
            #expect(
                contradicted?.description == """
                    The file contradicts the classes of the app; nothing is added. \
                    The property Pet.name is of type string, and not of type bool.
                    """
            )
            let schema = try await realms.schema(of: "ward-app")
            #expect(schema == SyncSchema([pet]))
        }
    }

    @Test(
        "a file that is none, or holds something else, is an error that says where",
        arguments: [
            ("{", "the whole file: The given data was not valid JSON."),
            (#"{"classes":[{"name":"A"}]}"#, "classes.Index 0.properties: it is missing"),
            (
                #"{"classes":[{"name":"A","properties":[{"name":"n","type":"int","collection":"bag"}]}]}"#,
                "classes.Index 0.properties.Index 0.collection: the words are none, list, set, dictionary"
            ),
        ]
    )
    func badClasses(text: String, reason: String) throws {
        let folder = try TestFolder.made()
        let file = "\(folder.path)/ward.json"
        #expect(throws: CommandError.missingFile(file)) { try SyncSchema(path: file) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: CommandError.unreadable(path: file, reason: reason)) { try SyncSchema(path: file) }
    }

    @Test("tokens are issued into a file, listed and revoked")
    func tokens() async throws {
        let folder = try TestFolder.made()
        try await server { remote, port in
            let place = ["--server", "http://127.0.0.1:\(port)", "--token", remote.token, "--json"]
            func run(_ arguments: [String]) async throws {
                var command = try #require(
                    try DaybookCommand.parseAsRoot(["token"] + arguments + place) as? any AsyncParsableCommand
                )
                try await command.run()
            }
            try await run(["issue", "--app", "ward-app", "--out", folder.file("adams.token"), "Dr. Adams"])
            let auditor = RemoteEventArchive(
                try RemoteServer("http://127.0.0.1:\(port)", token: Token.read(nil, orFile: folder.file("adams.token")))
            )
            #expect(try await auditor.partitions() == [])
            let listed = try await remote.list(IssuedTokenLine.self, "tokens")
            #expect(listed.map(\.name) == ["Dr. Adams"])
            #expect(listed.map(\.apps) == [["ward-app"]])
            try await run(["list"])
            try await run(["revoke", try #require(listed.first).id])
            await #expect(throws: CommandError.self) { try await auditor.partitions() }
        }
    }

    @Test("a password is no option and no argument of any command")
    func noPasswordArgument() throws {
        let place = ["--server", "http://a", "--token", "t", "--app", "a"]
        for arguments in [["users", "add"], ["users", "password"]] {
            #expect(throws: (any Error).self) {
                try DaybookCommand.parseAsRoot(arguments + place + ["a@b", "s3cret"])
            }
            #expect(throws: (any Error).self) {
                try DaybookCommand.parseAsRoot(arguments + place + ["--password", "s3cret", "a@b"])
            }
            #expect(throws: Never.self) { try DaybookCommand.parseAsRoot(arguments + place + ["--json", "a@b"]) }
        }
    }

    @Test("a token is issued for a role, with apps only for an auditor")
    func tokenArguments() throws {
        let place = ["token", "issue", "--server", "http://a", "--token", "t"]
        let bounded = try DaybookCommand.parseAsRoot(place + ["--app", "a", "--app", "b", "--days", "7", "Dr. Adams"])
        let command = try #require(bounded as? TokenIssueCommand)
        #expect(command.role == .auditor)
        #expect(command.app == ["a", "b"])
        #expect(command.days == 7)
        #expect(command.name == "Dr. Adams")
        let reviewer = try DaybookCommand.parseAsRoot(place + ["--role", "reviewer", "--app", "a", "Legal"])
        #expect((reviewer as? TokenIssueCommand)?.role == .reviewer)
        #expect(throws: (any Error).self) {
            try DaybookCommand.parseAsRoot(place + ["--role", "administrator", "--app", "a", "IT"])
        }
    }

    @Test("every command has a help with its usage")
    func help() {
        let commands: [(any ParsableCommand.Type, String)] = [
            (UsersCommand.self, "users"), (UsersListCommand.self, "users list"), (UsersAddCommand.self, "users add"),
            (UsersPasswordCommand.self, "users password"), (UsersRemoveCommand.self, "users remove"),
            (UsersSessionsCommand.self, "users sessions"), (UsersSignOutCommand.self, "users sign-out"),
            (TokenCommand.self, "token"), (TokenIssueCommand.self, "token issue"),
            (TokenListCommand.self, "token list"), (TokenRevokeCommand.self, "token revoke"),
            (SchemaCommand.self, "schema"), (SchemaAddCommand.self, "schema add"),
        ]
        for (command, name) in commands {
            #expect(DaybookCommand.helpMessage(for: command).contains("USAGE: daybook \(name) "))
        }
    }
}
