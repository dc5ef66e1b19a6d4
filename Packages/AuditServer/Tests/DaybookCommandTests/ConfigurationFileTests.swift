import AuditAccounts
import AuditAdmission
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModelTesting
import EventProofs
import Foundation
import LogPublishing
import PostgreSQLStore
import Testing

@testable import DaybookCommand

@Suite("The configuration file of the server")
struct ConfigurationFileTests {
    private func read(_ text: String, in folder: TestFolder? = nil) async throws -> ConfigurationFile {
        try await ConfigurationFile(Data(text.utf8), path: folder?.file("serve.json5") ?? "/etc/serve.json5")
    }

    private static let witness = "witness.example/w1+bbfab71d+BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g"

    @Test("what the file leaves out has the defaults of the command")
    func empty() async throws {
        let file = try await read("{}")

        #expect(file.configuration.host == "127.0.0.1")
        #expect(file.configuration.port == 0)
        #expect(file.configuration.isDevelopmentMode)
        #expect(file.configuration.limits == ServerLimits())
        #expect(file.data == nil)
        #expect(file.logLevel == nil)
    }

    @Test("every key is read, with comments and trailing commas, and paths begin at the folder of the file")
    func full() async throws {
        let folder = try TestFolder.made()
        try Data("s3cret\n# another\nt0psecret\n".utf8).write(to: URL(filePath: folder.file("ward.keys")))
        try Data(repeating: 0x41, count: 32).write(to: URL(filePath: folder.file("sso.secret")))
        try Data("id,name\nada,Ada Berg\n".utf8).write(to: URL(filePath: folder.file("staff.csv")))
        try Data(String(repeating: "0f", count: 32).utf8).write(to: URL(filePath: folder.file("db.key")))

        let file = try await read(
            """
            {
              // Where to listen.
              host: "0.0.0.0", port: 8443, data: "data", logLevel: "info", developmentMode: false,
              clientAddressHeader: "X-Forwarded-For",
              postgres: {
                address: "host=db1,db2 dbname=audit", storingConnections: 16, readingConnections: 2, keyFile: "db.key",
              },
              tls: { certificateChain: "chain.pem", privateKey: "/keys/key.pem" },
              limits: { requestsPerMinute: 600, signInsPerMinute: 6, connections: 10, idleSeconds: 20, unmaskingsPerMinute: 12 },
              quotas: { userMegabytesPerDay: 5, appPartitionsPerDay: 70, newUsersPerHour: 3, developmentColumns: 0 },
              unmaskingPurposes: ["Court order"], earlierKeys: ["\(String(repeating: "1a", count: 32))"],
              witnesses: { quorum: 1, seconds: 3, list: [{ url: "https://witness.example/w1/", key: "\(Self.witness)" }] },
              apps: {
                "ward-app": {
                  anonymousUsers: true, emailPassword: "signIn", apiKeysFile: "ward.keys",
                  customTokens: { algorithm: "HS256", keyFile: "sso.secret", audience: "ward" },
                },
                "lab": {
                  developmentMode: true, metadataColumns: ["sample", "ward id"], masked: ["Sample.*", "metadata:sample"],
                  labels: { Sample: "{number} ({ward.name})" }, staffFile: "staff.csv",
                  partitionRules: { userWrite: ["%%user.id", "lab-*"], auditorRead: ["lab-*"] },
                },
              },
            }
            """,
            in: folder
        )

        let configuration = file.configuration
        #expect(configuration.host == "0.0.0.0")
        #expect(configuration.port == 8443)
        #expect(file.data == folder.file("data"))
        #expect(file.logLevel == .info)
        #expect(file.postgres?.address == "host=db1,db2 dbname=audit")
        #expect(file.postgres?.storingConnections == 16)
        #expect(file.postgres?.readingConnections == 2)
        #expect(file.keyCipher != nil)
        #expect(!configuration.isDevelopmentMode)
        #expect(configuration.clientAddressHeader == "X-Forwarded-For")
        #expect(configuration.certificate?.chainFile == folder.file("chain.pem"))
        #expect(configuration.certificate?.keyFile == "/keys/key.pem")
        #expect(configuration.limits.requests == .init(perMinute: 600, burst: 100))
        #expect(configuration.limits.signIns == .init(perMinute: 6, burst: 1))
        #expect(configuration.limits.connections == 10)
        #expect(configuration.limits.idleSeconds == 20)
        #expect(configuration.earlierKeys == [[UInt8](repeating: 0x1A, count: 32)])
        let witness = try WitnessAddress(
            url: "https://witness.example/w1",
            key: NoteVerifierKey(parsing: Self.witness)
        )
        #expect(configuration.witnesses == (try WitnessSettings([witness], quorum: 1, seconds: 3)))
        #expect(configuration.limits.unmaskings == .init(perMinute: 12, burst: 2))
        var quotas = ServerQuotas(userBytesPerDay: 5_000_000, newUsersPerHour: 3, developmentColumns: 0)
        quotas.appPartitionsPerDay = 70
        #expect(configuration.quotas == quotas)
        #expect(configuration.unmaskingPurposes == ["Court order"])
        let ward = try #require(configuration.settings(of: "ward-app"))
        #expect(ward.allowsAnonymousUsers)
        #expect(ward.emailPassword == .signIn)
        #expect(
            ward.apiKeys == [APIKey(app: "ward-app", secret: "s3cret"), APIKey(app: "ward-app", secret: "t0psecret")]
        )
        #expect(ward.customTokens != nil)
        let lab = try #require(configuration.settings(of: "lab"))
        #expect(!lab.allowsAnonymousUsers)
        #expect(lab.emailPassword == .off)
        #expect(ward.labels.isEmpty && ward.staff.isEmpty)
        #expect(lab.staff.person("ada")?.name == "Ada Berg")
        #expect(lab.labels.texts == ["Sample", "{number} ({ward.name})"])
        #expect(ward.metadataColumns == nil)
        #expect(lab.metadataColumns == ["sample", "ward id"])
        #expect(!configuration.extendsSchema(of: "ward-app"))
        #expect(configuration.extendsSchema(of: "lab"))
        #expect(ward.partitionRules == PartitionRules())
        #expect(lab.partitionRules.userWrite.map(\.text) == ["%%user.id", "lab-*"])
        #expect(lab.partitionRules.userRead == [.all])
        #expect(lab.partitionRules.auditorRead.map(\.text) == ["lab-*"])
        #expect(lab.mask.fields.map(\.text) == ["Sample.*", "metadata:sample"])
        #expect(ward.mask.isEmpty)
        #expect(configuration.settings(of: "other") == nil)
    }

    @Test(
        "a mistake is named by its key, with the remedy and without the value",
        arguments: [
            ("{prot: 1}", "prot", "it is not one of host, port"),
            ("{apps: {a: {emailPasword: 'off'}}}", "apps.a.emailPasword", "it is not one of anonymousUsers"),
            ("{port: 70000}", "port", "it is a number from 0 to 65535"),
            ("{quotas: {newUsersPerHour: 0}}", "quotas.newUsersPerHour", "it is a number from 1"),
            ("{quotas: {bytes: 1}}", "quotas.bytes", "it is not one of userMegabytesPerDay"),
            ("{port: 'secret'}", "port", "it is no whole number"),
            ("{logLevel: 'loud'}", "logLevel", "it is one of trace"),
            ("{apps: {a: {emailPassword: 'secret'}}}", "apps.a.emailPassword", "it is one of off"),
            (
                "{apps: {a: {customTokens: {algorithm: 'none', keyFile: '/dev/null'}}}}",
                "apps.a.customTokens.algorithm", "it is HS256"
            ),
            (
                "{apps: {a: {customTokens: {algorithm: 'HS256', keyFile: '/dev/null'}}}}",
                "apps.a.customTokens.keyFile", "/dev/null holds no such key"
            ),
            ("{tls: {privateKey: 'x'}}", "tls.certificateChain", "it is missing"),
            ("{postgres: {address: 'postgresql://a:secret@b/c'}}", "postgres.address", "it holds a password"),
            ("{postgres: {}}", "postgres.address", "it is missing"),
            (
                "{postgres: {address: 'host=a', storingConnections: 0}}", "postgres.storingConnections",
                "it is a number from 1"
            ),
            ("{limits: {connections: 0}}", "limits.connections", "it is a number from 1"),
            ("{host: 1}", "host", "it is no text in quotes"),
            ("{apps: {a: {metadataColumns: ['b', 'data']}}}", "apps.a.metadataColumns", "a name has 1 to 63 bytes"),
            ("{apps: {a: {metadataColumns: 'b'}}}", "apps.a.metadataColumns", "it is no list in brackets"),
            (
                "{apps: {a: {partitionRules: {userRead: ['%%user.name']}}}}", "apps.a.partitionRules.userRead",
                "a pattern has 1 to 256 bytes"
            ),
            ("{apps: {a: {partitionRules: {admin: []}}}}", "apps.a.partitionRules.admin", "it is not one of userWrite"),
            ("{apps: {a: {retention: {days: 0}}}}", "apps.a.retention", "events are kept for 1 to 36500 days"),
            (
                "{apps: {a: {retention: {events: {read: 0}}}}}", "apps.a.retention",
                "events are kept for 1 to 36500 days"
            ),
            ("{apps: {a: {retention: {weeks: 3}}}}", "apps.a.retention.weeks", "it is not one of days, events"),
            (
                "{apps: {a: {realms: {historyDays: 0}}}}", "apps.a.realms.historyDays",
                "the log of a realm is kept for 1 to 36500 days"
            ),
            (
                "{apps: {a: {realms: {days: 3}}}}", "apps.a.realms.days",
                "it is not one of userWrite, userRead, historyDays"
            ),
            ("{apps: {a: {masked: ['Patient']}}}", "apps.a.masked", "a masked property is a class, a dot and a name"),
            ("{apps: {a: {masked: ['Patient._id']}}}", "apps.a.masked", "a primary key cannot be masked"),
            (
                "{apps: {a: {labels: {Patient: 'family'}}}}", "apps.a.labels.Patient",
                "a label names 1 to 8 properties in braces"
            ),
            (
                "{apps: {a: {labels: {Patient: '{family'}}}}", "apps.a.labels.Patient",
                "each brace of a label has its partner"
            ),
            ("{retentionPercentPerDay: 0}", "retentionPercentPerDay", "it is a number from 1 to 100"),
            ("{earlierKeys: ['zz']}", "earlierKeys", "each is a public key, 64 hexadecimal digits"),
            (
                "{earlierKeys: ['\(String(repeating: "0", count: 64))']}", "earlierKeys",
                "each is a public key, 64 hexadecimal digits"
            ),
            ("{witnesses: {}}", "witnesses.list", "it is missing"),
            ("{witnesses: {list: [], quorum: 1}}", "witnesses", "the quorum is 1 of 0 witnesses"),
            ("{witnesses: {list: [], seconds: 60}}", "witnesses", "readers wait from 1 to 12 seconds"),
            ("{witnesses: {list: [], wait: 1}}", "witnesses.wait", "it is not one of quorum, seconds, list"),
            ("{witnesses: {list: [{url: 'https://a', key: 'a'}]}}", "witnesses.list.0.key", "it is a key as"),
            ("{witnesses: {list: [{url: 'a', key: '\(Self.witness)'}]}}", "witnesses.list.0", "its url is one such as"),
            ("{unmaskingPurposes: []}", "unmaskingPurposes", "there are 1 to 50 different ones"),
            ("{unmaskingPurposes: ['a', 'a']}", "unmaskingPurposes", "there are 1 to 50 different ones"),
            ("[]", "the whole file", "it is no object in braces"),
            ("{", "the whole file", "it is not JSON5"),
        ]
    )
    func mistakes(text: String, key: String, reason: String) async throws {
        let error = await #expect(throws: CommandError.self) { try await read(text) }

        guard case .malformedConfiguration(let path, let found, let sentence) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(path == "/etc/serve.json5")
        #expect(found == key)
        #expect(sentence.hasPrefix(reason), "\(sentence)")
        #expect(!sentence.contains("secret"))
    }

    @Test("a file that is missing, or one that it names, is named")
    func missing() async throws {
        await #expect(throws: CommandError.missingFile("/nonexistent")) {
            try await ConfigurationFile(path: "/nonexistent")
        }
        await #expect(throws: CommandError.missingFile("/etc/none.key")) {
            try await read("{postgres: {address: 'host=a', keyFile: 'none.key'}}")
        }
        await #expect(throws: CommandError.malformedKey("/dev/null")) {
            try await read("{postgres: {address: 'host=a', keyFile: '/dev/null'}}")
        }
        await #expect(throws: CommandError.missingFile("/etc/none.keys")) {
            try await read("{apps: {a: {apiKeysFile: 'none.keys'}}}")
        }
    }
}
