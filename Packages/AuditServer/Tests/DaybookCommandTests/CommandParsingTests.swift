import ArgumentParser
import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@testable import DaybookCommand

@Suite("Command lines")
struct CommandParsingTests {
    @Test("serve without options listens on this machine alone, on any free port")
    func serveDefaults() throws {
        let command = try #require(try DaybookCommand.parseAsRoot(["serve"]) as? ServeCommand)

        let configuration = try command.overriding(ServerConfiguration())
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 0)
        #expect(configuration.isDevelopmentMode)
        #expect(configuration.settings(of: "any app")?.allowsAnonymousUsers == true)
    }

    @Test(
        "serve takes the address of a database, and no password in it",
        arguments: [
            ("postgresql://daybook@db1,db2/audit?sslmode=verify-full", true),
            ("host=db1 user=daybook dbname=audit", true),
            ("postgresql://daybook:s3cret@db1/audit", false),
            ("host=db1 password=s3cret", false),
            ("postgresql://db1/audit?password=s3cret", false),
        ]
    )
    func postgresAddress(address: String, isAccepted: Bool) throws {
        let arguments = ["serve", "--postgres", address]
        if isAccepted {
            let command = try #require(try DaybookCommand.parseAsRoot(arguments) as? ServeCommand)
            #expect(command.postgres == address)
        } else {
            let error = try #require(throws: (any Error).self) { try DaybookCommand.parseAsRoot(arguments) }
            let message = DaybookCommand.message(for: error)
            #expect(message.contains("PGPASSWORD"))
            #expect(!message.contains("s3cret"))
        }
    }

    @Test("a port beyond the range is refused")
    func portRange() {
        #expect(throws: (any Error).self) { try DaybookCommand.parseAsRoot(["serve", "--port", "70000"]) }
    }

    @Test("options win over the configuration that they are added to, and leave the rest of it")
    func overriding() throws {
        let arguments = ["serve", "--port", "9000", "--no-development-mode", "--app", "b"]
        let command = try #require(try DaybookCommand.parseAsRoot(arguments) as? ServeCommand)
        let base = ServerConfiguration(host: "10.0.0.1", port: 1, apps: ["a": AppSettings(emailPassword: .signIn)])

        let configuration = try command.overriding(base)

        #expect(configuration.host == "10.0.0.1")
        #expect(configuration.port == 9000)
        #expect(configuration.settings(of: "a")?.emailPassword == .signIn)
        #expect(configuration.settings(of: "b")?.allowsAnonymousUsers == true)
        #expect(configuration.settings(of: "c") == nil)
    }

    @Test("a certificate without its key is refused")
    func certificateAlone() {
        #expect(throws: (any Error).self) { try DaybookCommand.parseAsRoot(["serve", "--tls-certificate", "x"]) }
    }

    @Test("schema shows unless it is told to add, and columns stand behind the options")
    func schema() throws {
        let show = try DaybookCommand.parseAsRoot(["schema", "--files", "x", "--app", "a", "--json"])
        #expect((show as? SchemaShowCommand)?.app == "a")
        let arguments = ["schema", "add", "--server", "http://a", "--token", "t", "--app", "a", "userId", "ward id"]
        let add = try #require(try DaybookCommand.parseAsRoot(arguments) as? SchemaAddCommand)
        #expect(add.app == "a")
        #expect(add.columns == ["userId", "ward id"])
        #expect(throws: CommandError.missingToken) {
            var add = add
            add.server.token = nil
            return try add.server.remote()
        }
    }

    @Test("filters are read from their options")
    func filters() throws {
        let arguments = ["events", "--files", "x", "--activity", "Rounds", "--since", "2023-11-14T22:13:20Z"]
        let command = try #require(try DaybookCommand.parseAsRoot(arguments) as? EventsCommand)

        let filter = try command.filter.filter()

        #expect(filter.activity == "Rounds")
        #expect(filter.since == EventInstant(microseconds: 1_700_000_000_000_000))
    }

    @Test(
        "a time is one of ISO 8601, a day, or so long ago",
        arguments: [
            ("2023-11-14T22:13:20Z", 1_700_000_000), ("2023-11-14", 1_699_920_000), ("now", 1_700_000_100),
            ("90s", 1_700_000_010), ("10m", 1_699_999_500), ("2h", 1_699_992_900), ("3d", 1_699_740_900),
            ("1w", 1_699_395_300), ("0s", 1_700_000_100), ("", nil), ("yesterday", nil), ("10", nil), ("-1h", nil),
            ("9999999999w", nil), ("2023-13-01", nil), ("h", nil), ("1.5h", nil), ("1 h", nil),
        ] as [(String, Int64?)]
    )
    func times(text: String, seconds: Int64?) throws {
        let now = EventInstant(microseconds: 1_700_000_100_000_000)
        if let seconds {
            #expect(try TimeOption.instant(text, now: now) == EventInstant(microseconds: seconds * 1_000_000))
        } else {
            #expect(throws: CommandError.malformedTime(text)) { try TimeOption.instant(text, now: now) }
        }
    }

    @Test("every property of a filter has an option")
    func allFilters() throws {
        let partition = "ward-000000000000000700000001"
        let (device, boot) = (String(repeating: "Ab", count: 32), String(repeating: "0c", count: 16))
        let arguments = [
            "events", "--server", "http://x", "--partition", partition, "--app", "ward", "--device", device, "--boot",
            boot, "--person", "ada", "--class",
            "Patient",
            "--key", "p1", "--event", "read", "--outcome", "interrupted", "--metadata", "shift=1=a", "--metadata",
            "bed=",
            "--text", "t", "--until", "2023-11-14T22:13:20Z", "--received-since", "2023-11-14T22:13:20Z",
            "--received-until", "2023-11-14T22:13:21Z",
        ]
        let command = try #require(try DaybookCommand.parseAsRoot(arguments) as? EventsCommand)
        let time = EventInstant(microseconds: 1_700_000_000_000_000)

        let filter = try command.filter.filter()

        #expect(
            filter
                == EventFilter(
                    partition: try PartitionID(partition),
                    app: "ward",
                    person: "ada",
                    objectClass: "Patient",
                    objectKey: "p1",
                    event: "read",
                    outcome: .interrupted,
                    metadata: ["shift": "1=a", "bed": ""],
                    boot: boot,
                    device: [UInt8](repeating: 0xAB, count: 32),
                    until: time,
                    receivedSince: time,
                    receivedUntil: EventInstant(microseconds: time.microseconds + 1_000_000),
                    text: "t"
                )
        )
        #expect(filter.query.count == 15)
        #expect(filter.query["metadata.shift"] == "1=a")
        for wrong in [
            ["--outcome", "fine"], ["--device", "12"], ["--boot", "xyz"], ["--app", "ward"],
            ["--received-since", "now"],
            ["--metadata", "a=1", "--metadata", "a=2"],
        ] {
            #expect(throws: (any Error).self, "\(wrong)") {
                try DaybookCommand.parseAsRoot(["events", "--files", "x"] + wrong)
            }
        }
        #expect(throws: (any Error).self) {
            try DaybookCommand.parseAsRoot(["events", "--files", "x", "--metadata", "a"])
        }
    }

    @Test(
        "a source that is missing, ambiguous or malformed is refused with a sentence",
        arguments: [
            (["events"], CommandError.ambiguousSource),
            (["events", "--files", "x", "--server", "http://a"], .ambiguousSource),
            (["events", "--server", "http://a"], .missingToken),
            (["events", "--server", "nonsense", "--token", "t"], .malformedServer("nonsense")),
            (
                ["events", "--files", "/nonexistent"],
                .unreadable(path: "/nonexistent", reason: "there is no such folder")
            ),
        ]
    )
    func sources(arguments: [String], error: CommandError) throws {
        let command = try #require(try DaybookCommand.parseAsRoot(arguments) as? EventsCommand)

        #expect(throws: error) { try command.source.archive() }
    }

    @Test("a file of API keys has an app id and a key in each line")
    func apiKeys() throws {
        let keys = try APIKeyFile.parse("# keys\nward-app s3cret\n\n", path: "keys")

        #expect(keys == [APIKey(app: "ward-app", secret: "s3cret")])
        #expect(throws: CommandError.malformedLine("keys", number: 2)) {
            try APIKeyFile.parse("a b\nc\n", path: "keys")
        }
    }

    @Test("a long file of keys is read to its end; one that is too long, or no text, is refused and not cut")
    func longKeyFiles() throws {
        let folder = try TestFolder.made()
        let path = folder.file("keys")
        let secrets = (0..<5000).map { "secret-number-\($0)" }
        let lines = Data(secrets.joined(separator: "\r\n").utf8)
        try #require(lines.count > 65_536)

        try lines.write(to: URL(filePath: path))
        #expect(try APIKeyFile.read(path, app: "a") == secrets.map { APIKey(app: "a", secret: $0) })
        try Data(repeating: UInt8(ascii: "k"), count: 4_194_305).write(to: URL(filePath: path))
        #expect(throws: AuditServerError.inaccessible(path: path, reason: "it has more than 4194304 bytes")) {
            try APIKeyFile.read(path, app: "a")
        }
        try Data([0x61, 0xFF, 0x0A]).write(to: URL(filePath: path))
        #expect(throws: CommandError.unreadable(path: path, reason: "it is not a text in UTF-8")) {
            try APIKeyFile.read(path, app: "a")
        }
    }

    @Test("a file of a key, a token or a certificate that has more than it may have is refused as a whole")
    func longFiles() throws {
        let folder = try TestFolder.made()
        let path = folder.file("token")
        try Data(repeating: UInt8(ascii: "t"), count: 65_536).write(to: URL(filePath: path))
        #expect(try PrivateFile.read(path)?.count == 65_536)
        try Data(repeating: UInt8(ascii: "t"), count: 65_537).write(to: URL(filePath: path))
        #expect(throws: AuditServerError.inaccessible(path: path, reason: "it has more than 65536 bytes")) {
            try PrivateFile.read(path)
        }
    }
}
