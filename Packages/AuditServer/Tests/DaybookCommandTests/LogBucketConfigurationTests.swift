import AuditArchives
import AuditHTTP
import AuditModel
import EventModelTesting
import Foundation
import LogPublishing
import Testing

@testable import DaybookCommand

@Suite("The bucket of the log in the configuration file")
struct LogBucketConfigurationTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder.made() }

    private func write(_ key: String, mode: Int = 0o600) throws {
        try Data(key.utf8).write(to: URL(filePath: folder.file("log.key")))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file("log.key"))
    }

    private func read(_ section: String) async throws -> LogBucketSettings? {
        try await ConfigurationFile(Data("{ logBucket: \(section) }".utf8), path: folder.file("serve.json5"))
            .configuration.logBucket
    }

    @Test("every key is read, the secret from a file that nobody else may read, and what is left out has its default")
    func keys() async throws {
        try write("NAME\ns3cret\n")
        let short = try await read("{ url: 'https://s3.example.com', bucket: 'our-log', keyFile: 'log.key' }")
        let key = try BucketCredentials(accessKey: "NAME", secret: "s3cret")
        #expect(try short == LogBucketSettings(url: "https://s3.example.com", bucket: "our-log", credentials: key))
        #expect(short?.seconds == 10 && short?.copiesEntries == false)

        try write("NAME s3cret t0ken\n")
        let long = try await read(
            """
            {
              url: "https://s3.eu-central-1.amazonaws.com", bucket: "our-log", prefix: "logs/ward", region: "eu-central-1",
              pathStyle: false, keyFile: "log.key", seconds: 60, entries: true,
            }
            """
        )
        #expect(
            try long
                == LogBucketSettings(
                    url: "https://s3.eu-central-1.amazonaws.com",
                    bucket: "our-log",
                    prefix: "logs/ward",
                    region: "eu-central-1",
                    isPathStyle: false,
                    credentials: BucketCredentials(accessKey: "NAME", secret: "s3cret", sessionToken: "t0ken"),
                    seconds: 60,
                    copiesEntries: true
                )
        )
        #expect(try await ConfigurationFile(Data("{}".utf8), path: "/etc/a").configuration.logBucket == nil)
    }

    @Test("without a file the key is that of the environment, as others' programs have it")
    func environment() throws {
        let section = try JSONDecoder()
            .decode(
                ConfigurationFile.LogBucket.self,
                from: Data(#"{"url": "https://s3.example.com", "bucket": "our-log"}"#.utf8)
            )
        var environment = ["AWS_ACCESS_KEY_ID": "NAME", "AWS_SECRET_ACCESS_KEY": "s3cret"]  // TEXT: names of ours.
        let settings = try section.settings({ $0 }, "/etc/serve.json5", environment: environment)
        let key = try BucketCredentials(accessKey: "NAME", secret: "s3cret")
        #expect(try settings == LogBucketSettings(url: "https://s3.example.com", bucket: "our-log", credentials: key))
        environment["AWS_SESSION_TOKEN"] = "two words"
        for environment in [environment, [:], ["AWS_ACCESS_KEY_ID": "NAME"]] {
            let error = #expect(throws: CommandError.self) {
                try section.settings({ $0 }, "/etc/serve.json5", environment: environment)
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("AWS_SECRET_ACCESS_KEY") && !text.contains("s3cret"), "\(text)")
        }
    }

    @Test("what cannot be is refused with the key of the file and a reason, and no secret is said")
    func refused() async throws {
        try write("NAME s3cret")
        for section in [
            "{ url: 'http://s3.example.com', bucket: 'our-log', keyFile: 'log.key' }",
            "{ url: 'https://s3.example.com', bucket: 'Our Log', keyFile: 'log.key' }",
            "{ url: 'https://s3.example.com', bucket: 'our-log', keyFile: 'log.key', seconds: 0 }",
            "{ url: 'https://s3.example.com', bucket: 'our-log', keyFile: 'log.key', secret: 's3cret' }",
            "{ bucket: 'our-log', keyFile: 'log.key' }",
        ] {
            let error = await #expect(throws: CommandError.self) { try await read(section) }
            guard case .malformedConfiguration(_, let key, let reason)? = error else {
                Issue.record("another error: \(String(describing: error))")
                continue
            }
            #expect(key.hasPrefix("logBucket") && !reason.contains("s3cret"), "\(key): \(reason)")
        }
    }

    @Test("a key that others may read, is missing, or is no key is refused")
    func files() async throws {
        let section = "{ url: 'https://s3.example.com', bucket: 'our-log', keyFile: 'log.key' }"
        await #expect(throws: CommandError.missingFile(folder.file("log.key"))) { try await read(section) }
        try write("NAME s3cret", mode: 0o640)
        let shared = await #expect(throws: AuditServerError.self) { try await read(section) }
        #expect(shared.map { "\($0)".contains("chmod go=") } == true)
        for text in ["", "s3cret", "NAME s3cret t0ken more", "NAME s3crét"] {
            try write(text)
            let error = await #expect(throws: CommandError.self) { try await read(section) }
            #expect(error.map { "\($0)".contains("s3cr") } == false, "\(text)")
        }
    }
}
