import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import Testing

@testable import AuditFormats
@testable import AuditModel
@testable import AuditVerifying

@Suite("Keys in an export that are not believed")
struct ExportRevokedKeyTests {
    private let store = InMemoryEventStore()
    private let lost: SampleDevice
    private let kept: SampleDevice

    init() async throws {
        let (lost, lostSeal) = try SampleExport.device(1)
        let (kept, keptSeal) = try SampleExport.device(2)
        (self.lost, self.kept) = (lost, kept)
        _ = try await store.accept(lost.upload(1...lost.events.count, seal: lostSeal))
        _ = try await store.accept(kept.upload(1...kept.events.count, seal: keptSeal))
    }

    private func revoked(
        _ device: SampleDevice,
        after microseconds: Int64 = 0,
        user: String = SampleDevice.owner.user
    ) -> RevokedKey {
        RevokedKey(
            owner: EventOwner(app: SampleDevice.owner.app, user: user),
            publicKey: device.key.publicKey,
            since: EventInstant(microseconds: SampleDevice.received.microseconds + microseconds),
            reason: "lost <b>& found"
        )
    }

    private func export(_ keys: [RevokedKey], publishes: Bool = true) async throws -> SampleExport {
        try await SampleExport(store, formats: [.jsonl], publishes: publishes, revokedKeys: keys)
    }

    private func page(_ export: SampleExport) throws -> String {
        String(decoding: try export.bytes(ExportManifest.coverName), as: UTF8.self)
    }

    @Test("what was received with a key that was revoked by then is a problem, and the page says it in words")
    func late() async throws {
        let key = revoked(lost)
        let export = try await self.export([key])
        let found = try export.verified(key: export.publicKey)
        #expect(
            found.problems == [
                "Partition \(lost.partition) was received at \(SampleDevice.received), sealed with a key that was revoked as of "
                    + "\(key.since)."
            ]
        )
        #expect(found.manifest?.revokedKeys == [key])
        let page = try page(export)
        for text in [
            "<h2>Keys that are not believed</h2>", "<strong>1 partition here came after that.</strong>",
            "<bdi>lost &lt;b&gt;&amp; found</bdi>", "<strong>1 received after</strong>",
            Hexadecimal.text(key.publicKey),
            "; <strong>received when this key was not believed any more</strong>",
        ] { #expect(page.contains(text), "\(text)") }
    }

    @Test("what was received before is no problem, and of keys that are not there nothing is said")
    func early() async throws {
        let key = revoked(lost, after: 1)
        let export = try await self.export([key, revoked(lost, user: "another"), revoked(SampleDevice(7))])
        #expect(try export.verified().problems == [])
        #expect(try export.verified().manifest?.revokedKeys == [key])
        let page = try page(export)
        #expect(page.contains("Nothing here is known to have come after that.") && page.contains("1 received before"))

        let none = try await self.export([revoked(SampleDevice(7))])
        #expect(try none.verified().problems == [])
        #expect(try !none.lines(ExportManifest.fileName).contains { $0.contains("revokedKeys") })
        #expect(try !self.page(none).contains("not believed"))
    }

    @Test("without a log it is a remark, as nothing shows when the partition was received")
    func unlogged() async throws {
        let key = revoked(lost)
        let found = try await export([key], publishes: false).verified()
        #expect(found.problems == [])
        #expect(
            found.remarks.contains(
                "Partition \(lost.partition) was sealed with a key that was revoked as of \(key.since): whether before or after is not "
                    + "shown, as it is not in the log."
            )
        )
    }

    @Test("a thief who takes a statement out, or moves its time, breaks the signature, and the page tells as well")
    func thief() async throws {
        let export = try await self.export([revoked(lost), revoked(kept, after: 1)])
        let whole = String(decoding: try export.bytes(ExportManifest.fileName), as: UTF8.self)
        let read = try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any] ?? [:]
        let keys = read["revokedKeys"] as? [[String: Any]] ?? []
        #expect(keys.count == 2)
        for changed in [
            nil, Array(keys.dropFirst()), keys.reversed(),
            keys.map { $0.merging(["since": "2099-01-01T00:00:00.000000Z"]) { $1 } },
            keys.map { $0.merging(["user": "another"]) { $1 } },
        ] as [[[String: Any]]?] {
            var manifest = read
            manifest["revokedKeys"] = changed
            try export.write(JSONSerialization.data(withJSONObject: manifest), to: ExportManifest.fileName)
            let found = try export.verified(key: export.publicKey).problems
            #expect(
                found.contains("signature.json: the signature does not belong to manifest.json, which was changed."),
                "\(found)"
            )
        }
        try export.write(Data(whole.utf8), to: ExportManifest.fileName)
        #expect(try export.verified().problems.count == 1)
    }
}
