import AsyncHTTPClient
import EventModelTesting
import Foundation
import NIOCore
import NIOHTTP1
import ObjectStore
import ObjectStoreTesting
import Testing

@testable import RealmBrowser

/// A realm file with people, homes and hostile texts, and the server that shows it.
struct BrowsedFile {
    static let hostile = #"<script>window.hacked=1</script><img src=x onerror=window.hacked=1>"#

    let file: TemporaryRealm
    var url: URL { file.folder.appendingPathComponent("test.realm") }

    init(key: Data? = nil, people: Int = 250) throws {
        file = try TemporaryRealm {
            $0.schemaVersion = 3
            $0.encryptionKey = key
        }
        try Self.fill(file, people)
    }

    private static func fill(_ file: TemporaryRealm, _ people: Int) throws {
        let realm = try file.open()
        try realm.write { realm in
            for number in 0..<people { realm.add(Person.numbered(number)) }
            let home = Home(value: ["name": "h 1/ü", "tags": (0..<10).map { "tag \($0)" }] as [String: Any])
            home.owner = realm.objects(Person.self).last
            home.dogs.append(objectsIn: (0..<20).map { Dog(value: ["name": "Dog \($0)", "age": $0]) })
            home.watchdog = home.dogs[7]
            home.address = Address(value: ["street": "Elm"])
            realm.add(home)
            realm.add(Home(value: ["name": hostile, "tags": [hostile, String(repeating: "é", count: 5000)]]))
        }
    }

    /// Runs the server for as long as a test needs it.
    func serve(
        key: Data? = nil,
        patience: TimeAmount = .seconds(60),
        _ body: (BrowserClient) async throws -> Void
    ) async throws {
        var browser = try RealmBrowser(url, encryptionKey: key)
        browser.requestPatience = patience
        let (addresses, found) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { [browser] group in
            group.addTask {
                defer { found.finish() }
                try await browser.serve { found.yield($0) }
            }
            for await address in addresses {
                try await body(try BrowserClient(address))
                break
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

/// Asks the server as a browser does, and as somebody who is none.
struct BrowserClient: Sendable {
    struct Answer {
        let status: UInt
        let headers: HTTPHeaders
        let text: String

        /// The text as an object of JSON.
        var json: [String: Any] {
            get throws {
                try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            }
        }

        /// What the server says of a request that it refuses.
        var message: String? { get throws { try json["message"] as? String } }
    }

    let address: String
    let port: Int
    let token: String

    init(_ address: String) throws {
        self.address = address
        let parts = try #require(address.wholeMatch(of: #/http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{64})/#))
        port = try #require(Int(parts.1))
        token = String(parts.2)
    }

    /// Asks without a token unless a header has it, on a connection of its own: the server may close a kept one just when it is used again.
    func send(
        _ path: String,
        _ method: HTTPMethod = .GET,
        _ headers: [(String, String)] = [],
        body: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = method
        request.headers.add(name: "Connection", value: "close")
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 26)
        return Answer(
            status: response.status.code,
            headers: response.headers,
            text: String(decoding: bytes.readableBytesView, as: UTF8.self)
        )
    }

    /// Asks with the token for what lies at a path.
    func ask(_ path: String, _ query: KeyValuePairs<String, String> = [:]) async throws -> Answer {
        let text = query.map { "\($0.key)=\(Self.escaped($0.value))" }.joined(separator: "&")
        return try await send("/api/\(path)?\(text)", .GET, [("Authorization", "Bearer \(token)")])
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
