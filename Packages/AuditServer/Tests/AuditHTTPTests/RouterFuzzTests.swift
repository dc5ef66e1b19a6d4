import AuditAdmission
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Odd requests")
struct RouterFuzzTests {
    /// What stands where a path, a query or a body has a value.
    private static let oddities = [
        "", ".", "..", "%", "%00", "%2F", "%2e%2e%2f", "%zz", "%ff%fe", "%C3%28", "\u{E9}", "a b", "-1", "0",
        "18446744073709551616", "9223372036854775808", "NaN", "null", "'; DROP TABLE AuditEvent; --", "\"", "\\", "<x>",
        "ward-", "-000000000000000000000001", "ward-00000000000000000000000g", "ward-000000000000000700000001",
        "%77ard-000000000000000700000001", String(repeating: "a", count: 3000), String(repeating: "%41", count: 500),
        "2026-01-31T08:30:00Z", "9999999999-01-01T00:00:00Z", "me", "users", ":app", "*", "**", "{id}", "?", "#",
        "&&==",
    ]

    private static let bodies: [[UInt8]] =
        [
            "", "{", "}", "[]", "null", "\"\"", "{}", "{\"provider\":1}", "{\"provider\":\"anon-user\"",
            #"{"provider":"api-key"}"#, #"{"provider":"local-userpass","username":{},"password":[]}"#,
            #"{"email":"a@b","password":"\#(String(repeating: "x", count: 5000))"}"#,
            #"{"email":"\u0000@b.c","password":"p"}"#,
            #"{"provider":"custom-token","token":"a.b.c"}"#, #"{"metadataColumns":["_id",""," ","a","a"]}"#,
            #"{"provider":"anon-user","provider":"api-key"}"#, "DBS1", "DBS1\u{1}\u{1}\u{1}",
            String(repeating: "[", count: 10_000), String(repeating: #"{"a":"#, count: 3000),
            String(repeating: "x", count: 200_000),
        ]
        .map { Array($0.utf8) } + [
            [0xFF, 0xFE, 0x00], [0x44, 0x42, 0x53, 0x31] + [UInt8](repeating: 0xFF, count: 64),
        ]

    private static let methods: [HTTPRequest.Method] = [
        .get, .post, .put, .delete, .patch, .options, .trace, .connect, .head,
    ]

    private static let types = [
        "application/json", PartitionStretch.mediaType, "text/plain", "", "\u{7F}", "a/b; c=\"",
    ]

    /// A request that the seed decides.
    private struct Odd: CustomStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        let headers: HTTPFields
        let body: [UInt8]

        var description: String { "\(method) \(path.prefix(200)), \(body.count) bytes" }
    }

    private static func odd(
        _ generator: inout SeededGenerator,
        routes: [String],
        credentials: [HTTPFields]
    ) -> Odd {
        func pick<T>(_ all: [T]) -> T { all[Int.random(in: 0..<all.count, using: &generator)] }
        func often(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
        var segments = pick(routes).split(separator: "/").map(String.init)
        for index in segments.indices where segments[index].hasPrefix("{") || often(5) {
            segments[index] = often(40) ? "ward-000000000000000700000001" : pick(oddities)
        }
        if often(10) { segments.insert(pick(oddities), at: Int.random(in: 0...segments.count, using: &generator)) }
        var path = (often(3) ? "//" : "/") + segments.joined(separator: "/")
        if often(40) {
            let names = [
                "after", "limit", "since", "until", "partition", "activity", "from", "to", "size", "x", "%", "",
            ]
            path += "?" + (0...2).map { _ in "\(pick(names))=\(pick(oddities))" }.joined(separator: "&")
        }
        var headers = pick(credentials)
        if often(70) { headers[.contentType] = pick(types) }
        if often(10) { headers[.accept] = pick(oddities) }
        if often(5) { headers[.contentLength] = pick(["-1", "99999999999999999999", "x", "0"]) }
        if often(5) { headers[.authorization] = pick(["Bearer", "Bearer ", "bearer a.b.c", "Basic x", "\u{0}"]) }
        if often(5), let name = HTTPField.Name("x-odd") {
            for _ in 0..<120 { headers.append(HTTPField(name: name, value: pick(oddities))) }
        }
        return Odd(method: pick(methods), path: path, headers: headers, body: pick(bodies))
    }

    @Test("no request is answered with 5xx, and each refusal is JSON that says nothing of the inside")
    func requests() async throws {
        var limits = ServerLimits()
        limits.requests = .init(perMinute: 1_000_000, burst: 1_000_000)
        limits.signIns = limits.requests
        let server = try await TestServer(
            configuration: ServerConfiguration(limits: limits, passwordCost: 1)
        )
        var device = SampleDevice()
        device.record(["secret activity"])
        _ = try await server.store.accept(device.upload(1...1, seal: device.seal()))
        let credentials = [
            HTTPFields(), try await server.headers(.uploader(SampleDevice.owner)), try await server.headers(.auditor),
            try await server.headers(.administrator),
            try await server.headers(.uploader(EventOwner(app: "other", user: "x"))),
        ]
        let described = try OpenAPIDocument.load().routes.map(\.path)
        let routes = Array(Set(described)).sorted() + ["/", "/api", "/api/v1", "/api/v2/key"]

        let strangers = credentials.filter { $0 != credentials[2] }
        try await server.run { client in
            for seed in 1...4 as ClosedRange<UInt64> {
                var generator = SeededGenerator(seed: seed)
                for round in 0..<500 {
                    let odd = Self.odd(&generator, routes: routes, credentials: credentials)
                    let response = try await client.execute(
                        uri: odd.path,
                        method: odd.method,
                        headers: odd.headers,
                        body: ByteBuffer(bytes: odd.body)
                    )
                    let text = String(buffer: response.body)
                    let place: Comment = "seed \(seed), round \(round): \(odd)"
                    #expect(response.status.code < 500, place)
                    if response.status.code >= 400, odd.method != .head, !odd.path.contains("console") {
                        #expect(response.code != nil, place)
                        for word in ["SQL", "Swift", "Error", "Sources/"] where !odd.path.contains(word) {
                            #expect(!text.contains(word), place)
                        }
                    }
                    if strangers.contains(odd.headers) {
                        #expect(!text.contains("secret activity"), place)
                    }
                }
            }
        }
    }
}
