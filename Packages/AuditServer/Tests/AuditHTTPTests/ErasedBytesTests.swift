import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AuditAdmission
@testable import AuditExport
@testable import AuditHTTP
@testable import AuditKeeping
@testable import AuditModel
@testable import AuditReview
@testable import SQLiteStore

@Suite("What the disk has of erased events")
struct ErasedBytesTests {
    private static let (gone, kept) = ("zq7gone", "zq7kept")
    private static let count = 200

    /// A device whose events have texts of all lengths in everything that is searched for, each with a mark.
    private static func device(_ number: UInt32, _ mark: String) throws -> SampleDevice {
        var random = SeededGenerator(seed: UInt64(number))
        var device = SampleDevice(number)
        func text(_ index: Int, _ name: String) -> String {
            let length = Int.random(in: 0...(index.isMultiple(of: 9) ? 300 : 30), using: &random)
            return "\(UInt64.random(in: 0...99, using: &random))\(mark)-\(name)-\(index)-"
                + String(repeating: "x", count: length)
        }
        for index in 1...count {
            let data =
                #"{"type":"Patient","value":[{"_id":"\#(text(index, "key"))","name":"\#(text(index, "name"))"}]}"#
            device.record(
                device.event(
                    text(index, "activity"),
                    event: index.isMultiple(of: 5) ? text(index, "type") : "read",
                    data: data,
                    metadata: try EventMetadata(["who": text(index, "who"), "ward": text(index % 20, "ward")])
                )
            )
        }
        return device
    }

    /// Two devices, whose events arrive in turn, so that they lie between each other in every file.
    private static func devices() throws -> [SampleDevice] { [try device(1, gone), try device(2, kept)] }

    private static func fill(_ store: any AuditStore, _ devices: [SampleDevice]) async throws {
        for first in stride(from: 1, through: count, by: 50) {
            for device in devices {
                let last = first + 49
                _ = try await store.accept(device.upload(first...last, seal: last == count ? device.seal() : nil))
            }
        }
    }

    /// The files that hold a mark, as text, in hexadecimal digits or in base64.
    private static func files(holding mark: String, in folder: String) throws -> [String] {
        // Base64 has three forms, by where the mark begins.
        let codes = (0..<3)
            .map { shift in
                let bytes = Data(repeating: 0x2D, count: shift) + Data(mark.utf8)
                let text = bytes.base64EncodedString().dropFirst(shift == 0 ? 0 : 4)
                return String(text.prefix(text.count - 4))
            }
        let forms = ([mark, Hexadecimal.text(Array(mark.utf8))] + codes).map { Data($0.utf8) }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return
            names.filter { name in
                guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return false }
                return forms.contains { bytes.range(of: $0) != nil }
            }
            .sorted()
    }

    @Test("what was erased is in no byte of any file of the data folder: database, index, their logs, and exports")
    func dataFolder() async throws {
        let folder = try TestFolder.made()
        let devices = try Self.devices()
        let clock = ManualClock(start: EventInstant(microseconds: SampleDevice.received.microseconds + 1_000_000))
        let server = try await TestServer(
            store: SQLiteEventStore(path: folder.file("events.sqlite")),
            configuration: ServerConfiguration(limits: .forPolling),
            clock: clock,
            exports: ExportFolder(folder.file("exports")),
            index: SearchIndex(path: folder.file("search.sqlite"))
        )
        try await Self.fill(server.store, devices)
        let (auditor, administrator) = (try await server.headers(.auditor), try await server.headers(.administrator))

        try await server.run { client in
            for _ in 1...2 { _ = try await client.get("/api/v1/search?text=\(Self.kept)", as: auditor) }
            func export(_ query: String) async throws -> String {
                let form = #"{"formats":["csv","jsonl","fhir","ocsf"]}"#
                let begun: ExportStatus = try await client.post("/api/v1/exports\(query)", form, as: auditor).decoded()
                return try await client.finishedExport(begun.id, as: auditor).id
            }
            let (whole, other) = (
                try await export(""), try await export("?partition=\(devices[1].partition.value)")
            )
            let before = try Self.files(holding: Self.gone, in: folder.path)
            #expect(before.contains { $0.hasPrefix("events.sqlite") })
            #expect(before.contains { $0.hasPrefix("search.sqlite") })
            #expect(before.count(where: { $0.hasPrefix("exports/\(whole)/") }) == 6)

            let order =
                #"{"filter":{"partition":"\#(devices[0].partition.value)"},"reason":"r","events":\#(Self.count)}"#
            let erased = try await client.post("/api/v1/erasures", order, as: administrator)

            #expect(erased.status == .ok)
            #expect(try Self.files(holding: Self.gone, in: folder.path) == [])
            let outdated = try await client.export(whole, as: auditor)
            #expect(outdated.state == "failed")
            #expect(outdated.problem == "Events in it were erased since it was made; ask for it again.")
            #expect(outdated.files.isEmpty)
            #expect(try await client.export(other, as: auditor).state == "done")
            let file = try await client.get("/api/v1/exports/\(other)/files/events.csv", as: auditor)
            #expect(file.status == .ok)
            let again = try await export("")
            #expect(try await client.export(again, as: auditor).files.count == 8)
        }
        #expect(try Self.files(holding: Self.gone, in: folder.path) == [])
        #expect(try Self.files(holding: Self.kept, in: folder.path).count > 5)
    }

    /// Where the power goes while an erasure is under way.
    enum Cut: CaseIterable {
        /// It is written down.
        case ordered
        /// Some of the keys are destroyed.
        case halfDestroyed
        /// All of them are.
        case destroyed
        /// It has ended, and the index knows nothing of it.
        case ended
        /// The index is cleaned, and its note of that was lost.
        case cleaned
    }

    @Test(
        "an erasure that a power cut ended is finished at the next start, in the index as well",
        arguments: Cut.allCases
    )
    func powerCut(cut: Cut) async throws {
        let (before, after) = (try TestFolder.made(), try TestFolder.made())
        let devices = try Self.devices()
        let clock = ManualClock(start: EventInstant(microseconds: SampleDevice.received.microseconds + 1_000_000))
        let store = try SQLiteEventStore(path: before.file("events.sqlite"))
        let index = try SearchIndex(path: before.file("search.sqlite"))
        try await Self.fill(store, devices)
        try await index.refresh(from: store)
        let act = LegalHold.Act(by: "a", at: clock.now().wall, reason: "r")
        let filter = KeepingFilter(partition: devices[0].partition, receivedUntil: clock.now().wall)
        let erasure = try await store.begin(ErasureOrder(kind: .request, begun: act, filter: filter)).number
        let places = (1...Self.count).map { EventAddress(partition: devices[0].partition, sequence: UInt64($0)) }
        if cut != .ordered {
            _ = try await store.erase(
                cut == .halfDestroyed ? Array(places.prefix(Self.count / 2)) : places,
                for: erasure
            )
        }
        if cut == .ended || cut == .cleaned { _ = try await store.finish(erasure) }
        if cut == .cleaned {
            try await index.refresh(from: store)
            try await index.database.write { try $0.execute(sql: "UPDATE Forgotten SET erasure = 0") }
        }

        // What a cut leaves: the databases and their logs, and nothing that was in memory.
        for name in ["events.sqlite", "events.sqlite-wal", "search.sqlite", "search.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: before.file(name), toPath: after.file(name))
        }
        let again = try SQLiteEventStore(path: after.file("events.sqlite"))
        let cleaned = try SearchIndex(path: after.file("search.sqlite"))
        let keeper = EventKeeper(
            store: again,
            index: cleaned,
            trail: AuditTrail(
                store: again,
                index: cleaned,
                key: SampleDevice.serverKey,
                clock: clock,
                ids: SequentialIds()
            ),
            rules: [:],
            retentionShare: 0.05,
            clock: clock
        )
        try await keeper.resume()
        try await cleaned.refresh(from: again)

        #expect(try await again.erasures(after: 0, limit: 9).map { $0.result?.events } == [UInt64(Self.count)])
        #expect(try Self.files(holding: Self.gone, in: after.path) == [])
        let found = try await cleaned.search(EventFilter(), SearchRange(limit: 500), in: again, clock: clock)
        #expect(found.hits.count == Self.count)
        #expect(found.hits.allSatisfy { $0.stored.event != nil && $0.stored.partition == devices[1].partition })
    }
}
