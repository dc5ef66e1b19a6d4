import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import SQLiteStore

@Suite("Long events")
struct LongEventTests {
    private static func device(_ event: (SampleDevice) throws -> AuditEvent) rethrows -> SampleDevice {
        var device = SampleDevice()
        device.record(try event(device))
        return device
    }

    @Test(
        "names of more than 1 KiB and metadata of more than 64 KiB are refused by name, and what is at the bound is taken"
    )
    func bounds() async throws {
        let name = String(repeating: "a", count: AuditEvent.maximumNameBytes)
        let value = String(repeating: "v", count: EventMetadata.maximumBytes - 1)
        let refused: [(SampleDevice, AuditModel.Refusal)] = try [
            (Self.device { $0.event(name + "a") }, .longName),
            (Self.device { $0.event("a", event: name + "a") }, .longName),
            (Self.device { try $0.event("a", metadata: EventMetadata(["k": value + "v"])) }, .longMetadata),
            (
                Self.device {
                    try $0.event(
                        "a",
                        metadata: EventMetadata(["k": String(value.prefix(60_000)), "l": String(value.prefix(6000))])
                    )
                }, .longMetadata
            ),
        ]
        for (device, refusal) in refused {
            #expect(throws: AuditServerError.refused(refusal)) { try device.upload(1...1) }
        }
        let fits = try Self.device { try $0.event(name, event: name, metadata: EventMetadata(["k": value])) }
        #expect(try fits.upload(1...1).events.count == 1)
    }

    /// Events whose JSON has six times the bytes of their payloads.
    private static func controlCharacters(_ count: Int, byteCount: Int) -> SampleDevice {
        var device = SampleDevice()
        for _ in 0..<count { device.record(device.event("a", data: String(repeating: "\u{1}", count: byteCount))) }
        return device
    }

    @Test(
        "a page ends by the bytes that are sent, and the next one goes on behind it",
        arguments: ["events", "leaves"]
    )
    func pages(listing: String) async throws {
        let server = try await TestServer()
        let device = Self.controlCharacters(9, byteCount: 300_000)
        _ = try await server.store.accept(device.upload(1...9))
        let auditor = try await server.headers(.auditor)
        let path = listing == "events" ? "events?app=ward-app" : "partitions/\(device.partition)/leaves?limit=1000"

        try await server.run { client async throws in
            var sequences: [Int] = []
            var next: String? = ""
            var pages = 0
            while let after = next {
                let page = try await client.get(
                    "/api/v1/\(path)" + (after.isEmpty ? "" : "&after=\(after)"),
                    as: auditor
                )
                #expect(page.body.readableBytes < 4_500_000)
                sequences += try page.body.readableBytesView.split(separator: 0x0A)
                    .map { line in
                        let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
                        let details = object?["daybook"] as? [String: Any] ?? object
                        return details?["sequence"] as? Int ?? 0
                    }
                next = page.headers[.nextCursor]
                pages += 1
            }
            #expect(sequences == Array(1...9))
            #expect(pages > 1)
        }
    }

    @Test("a search holds few large events at once, and pages of it hold every result")
    func search() async throws {
        let store = InMemoryEventStore()
        var device = SampleDevice()
        for number in 0..<7 {
            device.record(device.event("a", data: String(repeating: "\(number)", count: 1_500_000)))
        }
        _ = try await store.accept(device.upload(1...7))
        let index = try SearchIndex()
        while try await !index.refresh(from: store, maximumEvents: 100) {}

        var range = SearchRange(isNewestFirst: false, limit: 50)
        var sequences: [UInt64] = []
        var pages = 0
        repeat {
            let page = try await index.search(EventFilter(activity: "a"), range, in: store, clock: ManualClock())
            #expect(page.hits.reduce(0) { $0 + $1.stored.byteCount } <= SearchRange.pageBytes)
            sequences += page.hits.map(\.stored.sequence)
            range.after = page.next
            pages += 1
        } while range.after != nil
        #expect(sequences == Array(1...7))
        #expect(pages == 4)

        var news: [UInt64] = []
        var last: Int64 = 0
        for _ in 0..<7 {
            let arrived = try await index.arrivals(after: last, EventFilter(), in: store)
            news += arrived.hits.map(\.stored.sequence)
            last = arrived.last
        }
        #expect(news == Array(1...7))
    }
}
