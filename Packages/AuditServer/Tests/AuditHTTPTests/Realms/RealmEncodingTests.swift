import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import Deflate
import EventModel
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditModel

@Suite("Messages of realms that are smaller on the way")
struct RealmEncodingTests {
    private static let person = ObjectAddress.sample()
    private static let nurse = Identity.uploader(EventOwner(app: "ward-app", user: "nurse"))

    @Test(
        "answers are made smaller for those who take that, and say the same",
        arguments: [
            ("deflate", true), ("gzip, Deflate;q=0.5", true), ("gzip", false), ("deflate;q=0", false),
            ("gzip, deflate; q=0.0", false), ("", false),
        ]
    )
    func smallAnswers(accepted: String, isPacked: Bool) async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            try await device.bind()
            try await device.send(
                Self.person.create(["name": .string(ExactText(String(repeating: "ab", count: 2000)))])
            )
            device.headers[.acceptEncoding] = accepted
            for (response, whole) in [
                (try await device.objectsResponse(), 4000), (try await device.entriesResponse(after: 0), 4000),
            ] {
                #expect(response.status == .ok)
                #expect(response.headers[.contentEncoding] == (isPacked ? "deflate" : nil))
                #expect((response.body.readableBytes < whole) == isPacked)
            }
            let packed = Array(try await device.objectsResponse().body.readableBytesView)
            let page = try SnapshotPage(bytes: isPacked ? Self.restored(packed) : packed)
            #expect(page.objects.map(\.object) == [Self.person])
            // What is small stays as it is.
            #expect(try await device.entriesResponse(after: 1).headers[.contentEncoding] == nil)
        }
    }

    private static func restored(_ packed: [UInt8]) throws -> [UInt8] {
        let inflater = try Inflater(packed, limit: .max)
        var bytes: [UInt8] = []
        while let piece = try inflater.next() { bytes += piece }
        return bytes
    }

    @Test("a body that was made smaller is taken as it was")
    func smallBody() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            try await device.bind()
            let text = ExactText(String(repeating: "ab", count: 100_000))
            let batch = try device.batch([Self.person.create(["name": .string(text)])])
            device.headers[.contentEncoding] = "deflate"

            let response = try await device.post("changes", try #require(Deflate.packed(batch)))

            #expect(response.status == .ok)
            #expect(try await device.entries(after: 0).first?.literals.map(\.object) == [Self.person])
        }
    }

    @Test("a body that is not what its encoding says, stands for too much, or has an unknown one is refused")
    func badEncodings() async throws {
        let server = try await TestServer()
        let headers = try await server.headers(Self.nurse)
        try await server.run { client in
            var device = try SharingDevice(client, as: headers)
            try await device.bind()
            let packed = try #require(Deflate.packed([UInt8](repeating: 0, count: ChangeLimits.changeBytes * 2)))
            #expect(packed.count < 200_000)
            for (encoding, body, status) in [
                ("deflate", [1, 2, 3], HTTPResponse.Status.badRequest), ("deflate", packed, .contentTooLarge),
                ("deflate", Array(packed.dropLast()), .contentTooLarge), ("deflate", [], .badRequest),
                ("gzip", [1, 2, 3], .badRequest), ("deflate, deflate", [1, 2, 3], .badRequest),
            ] as [(String, [UInt8], HTTPResponse.Status)] {
                device.headers[.contentEncoding] = encoding
                #expect(try await device.post("changes", body).status == status, "\(encoding) \(body.count)")
            }
            device.headers[.contentEncoding] = nil
            #expect(try await device.send(Self.person.create()).acknowledged == 1)
        }
    }
}
