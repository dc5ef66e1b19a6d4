import AuditModel
import AuditServerTesting
import EventModel
import EventProofs
import Testing

@Suite("Checks of an upload")
struct EventUploadTests {
    /// The canonical encoding with metadata that no recorder of ours would write.
    private func upload(metadata: [(String, String)]) throws -> EventUpload {
        let device = SampleDevice()
        var bytes = device.event("a").encoded
        // The last byte counts the metadata; all lengths here fit one byte.
        bytes.removeLast()
        bytes.append(UInt8(metadata.count))
        for text in metadata.flatMap({ [$0.0, $0.1] }) {
            bytes.append(UInt8(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
        var events = EncodedEvents()
        events.append(encoded: bytes)
        let stretch = PartitionStretch(
            partition: device.partition,
            firstSequence: 1,
            events: events,
            root: device.frontier(through: 0).root
        )
        return try EventUpload(
            stretch,
            owner: SampleDevice.owner,
            received: SampleDevice.received,
            signedBy: SampleDevice.serverKey
        )
    }

    @Test(
        "a metadata key that names a field of the event, or has a control character, is refused",
        arguments: ["_id", "data", "daybook", "", "a\u{0}b", "line\n", "\u{1B}[31m"]
    )
    func reservedKey(key: String) {
        #expect(throws: AuditServerError.self) { try upload(metadata: [(key, "x")]) }
    }

    @Test("two spellings of one metadata key are refused")
    func equivalentKeys() {
        #expect(throws: AuditServerError.refused(.twinKeys)) {
            try upload(metadata: [("e\u{301}", "x"), ("\u{E9}", "y")])
        }
    }

    @Test("a sequence beyond what can be counted is refused")
    func sequence() {
        let device = SampleDevice()
        let stretch = PartitionStretch(
            partition: device.partition,
            firstSequence: UInt64.max,
            events: EncodedEvents([device.event("a")]),
            root: device.frontier(through: 0).root
        )

        #expect(throws: AuditServerError.rejected(reason: "the first sequence is out of range")) {
            try EventUpload(
                stretch,
                owner: SampleDevice.owner,
                received: SampleDevice.received,
                signedBy: SampleDevice.serverKey
            )
        }
    }

    @Test("a seal that was made for another app or user is refused, and one of an earlier version says nothing of it")
    func sealOfAnother() throws {
        var device = SampleDevice()
        device.record(["a"])
        for owner in [
            EventOwner(app: "lab", user: SampleDevice.owner.user), EventOwner(app: "ward-app", user: "bb"),
            EventOwner(app: "ward-ap", user: "p" + SampleDevice.owner.user),
        ] {
            #expect(throws: AuditServerError.refused(.foreignSeal)) {
                try device.upload(1...1, seal: device.seal(of: owner))
            }
        }
        #expect(try device.upload(1...1, seal: device.seal()).seal?.owner == SampleDevice.owner)
    }
}
