import EventModel
import EventModelTesting
import Foundation
import SyncTransport
import SyncTransportTesting
import Testing

@Suite("Paths of realm files")
struct RealmPathTests {
    let folder = TestFolder()

    private func user(app: String = "ward", id: String = "62b3") async throws -> User {
        let answer = HTTPResponse.session(user: id, access: "A", refresh: "R")
        let configuration = AppConfiguration(
            baseURL: "http://127.0.0.1",
            rootDirectory: folder.path,
            client: ScriptedHTTPClient(answers: [answer])
        )
        return try await App(id: app, configuration: configuration).login(credentials: .anonymous)
    }

    @Test(
        "a partition value becomes a safe file name with its type",
        arguments: [
            ("ward 7", "s_ward%207"),
            ("", "s_"),
            ("../../etc/passwd", "s_%2e%2e%2f%2e%2e%2fetc%2fpasswd"),
            ("Ward", "s_%57ard"),
            ("caf\u{e9}\0", "s_caf%c3%a9%00"),
            ("%2f", "s_%252f"),
        ]
    )
    func safeName(value: String, expected: String) async throws {
        let path = try await user().realmPath(partitionValue: value)

        #expect(path == "\(folder.path)/mongodb-realm/ward/62b3/\(expected).realm")
    }

    @Test("values of different types have different files")
    func types() async throws {
        let user = try await user()
        let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        let paths = [
            user.realmPath(partitionValue: "7"), user.realmPath(partitionValue: 7),
            user.realmPath(partitionValue: ObjectId(high: 0, low: 7)), user.realmPath(partitionValue: uuid),
        ]

        #expect(Set(paths).count == 4)
        #expect(paths[1] == user.realmPath(partitionValue: Int64(7)))
        #expect(paths[3].hasSuffix("/u_00112233-4455-6677-8899-aabbccddeeff.realm"))
    }

    @Test("a long value becomes folders of names that every file system takes")
    func longValue() async throws {
        let value = String(repeating: "\u{1F600}", count: 1000)
        let path = try await user().realmPath(partitionValue: value)

        let names = path.split(separator: "/")

        #expect(names.allSatisfy { $0.utf8.count <= 220 })
        #expect(names.count > 50)
    }

    @Test("ids of apps and users cannot leave the root")
    func hostileIds() async throws {
        let user = try await user(app: "..", id: "../../root")

        #expect(user.directory == "\(folder.path)/mongodb-realm/%2e%2e/%2e%2e%2f%2e%2e%2froot")
    }
}
