import EventModel
import EventModelTesting
import Testing

@Suite("AuditEvent encoding")
struct AuditEventEncodingTests {
    static func sample(data: [UInt8]? = Array("{}".utf8), metadata: [String: String] = ["b": "2", "a": ""]) throws
        -> AuditEvent
    {
        AuditEvent(
            id: ObjectId("62b38b3c10846041166f5deb"),
            clock: ManualClock().now(),
            activity: "open chart",
            event: "read",
            data: data,
            metadata: try EventMetadata(metadata),
            scopeCommitted: EventInstant(microseconds: -5),
            marks: .interrupted
        )
    }

    @Test("an event survives a round trip")
    func roundTrip() throws {
        let event = try Self.sample()

        let copy = try event.encoded.withUnsafeBytes { try AuditEvent(encoded: $0) }

        #expect(copy == event)
        #expect(copy.metadata["a"] == "")
        #expect(copy.encoded == event.encoded)
    }

    @Test("absent fields stay absent, empty ones stay empty")
    func absence() throws {
        let bare = AuditEvent(id: ObjectId(), clock: ManualClock().now(), activity: "")
        let empty = AuditEvent(id: bare.id, clock: bare.clock, activity: "", event: "", data: [])

        let copies = try EncodedEvents([bare, empty]).decoded()

        #expect(copies == [bare, empty])
        #expect(bare.encoded != empty.encoded)
    }

    @Test("every truncation and every trailing byte is refused")
    func truncation() throws {
        let bytes = try Self.sample().encoded

        for length in 0..<bytes.count {
            #expect(throws: EventModelError.self) {
                try Array(bytes[0..<length]).withUnsafeBytes { try AuditEvent(encoded: $0) }
            }
        }
        #expect(throws: EventModelError.self) {
            try (bytes + [0]).withUnsafeBytes { try AuditEvent(encoded: $0) }
        }
    }

    @Test("metadata keys are checked", arguments: ["", "activity", "_partition", String(repeating: "k", count: 64)])
    func metadataKeys(key: String) {
        #expect(throws: EventModelError.self) { try EventMetadata([key: "v"]) }
    }

    @Test("decoded keys that are equal as text and differ in bytes do no harm")
    func canonicallyEqualKeys() throws {
        let bare = AuditEvent(id: ObjectId(), clock: ManualClock().now(), activity: "").encoded
        // Instead of no metadata: two keys, "e" with a combining accent before the letter that has it already.
        let metadata: [UInt8] = [2, 3, 0x65, 0xCC, 0x81, 1, 0x31, 2, 0xC3, 0xA9, 1, 0x32]
        let bytes = bare.dropLast() + metadata
        let event = try Array(bytes).withUnsafeBytes { try AuditEvent(encoded: $0) }

        #expect(event.metadata.entries.count == 2)
        #expect(event.metadata.dictionary.count == 1)
    }

    @Test(
        "an instant is written with six digits and read back",
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"),
            (-500_000, "1969-12-31T23:59:59.500000Z"),
            (1_700_000_000_123_456, "2023-11-14T22:13:20.123456Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
        ]
    )
    func instants(microseconds: Int64, text: String) {
        #expect(EventInstant(microseconds: microseconds).description == text)
        #expect(EventInstant(text) == EventInstant(microseconds: microseconds))
    }

    @Test(
        "a text is an instant only if its day and its time exist; a leap second is the first second of the next day",
        arguments: [
            ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"), ("2023-02-29T00:00:00Z", nil),
            ("2023-02-30T00:00:00Z", nil), ("2024-02-30T00:00:00Z", nil), ("1900-02-29T00:00:00Z", nil),
            ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000000Z"), ("2100-02-29T00:00:00Z", nil),
            ("2023-04-31T00:00:00Z", nil), ("2023-06-31T00:00:00Z", nil), ("2023-09-31T00:00:00Z", nil),
            ("2023-11-31T00:00:00Z", nil), ("2023-01-32T00:00:00Z", nil),
            ("2023-12-31T00:00:00Z", "2023-12-31T00:00:00.000000Z"),
            ("2023-01-00T00:00:00Z", nil), ("2023-00-01T00:00:00Z", nil), ("2023-13-01T00:00:00Z", nil),
            ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00.000000Z"),
            ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000000Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z"),
            ("2015-06-30T23:59:60.25Z", "2015-07-01T00:00:00.250000Z"),
            ("2016-12-31T23:59:61Z", nil), ("2016-12-31T23:58:60Z", nil), ("2016-12-31T22:59:60Z", nil),
            ("2016-12-30T23:59:60Z", nil), ("2016-03-31T23:59:60Z", nil), ("2016-06-29T23:59:60Z", nil),
            ("2023-01-01T24:00:00Z", nil), ("2023-01-01T00:60:00Z", nil), ("2023-01-01T00:00:00", nil),
            ("2023-01-01 00:00:00Z", nil), ("2023-01-01T00:00:00+00:00", nil), ("2023-01-01T00:00:00.Z", nil),
            ("2023-01-01T00:00:00.123456789Z", "2023-01-01T00:00:00.123456Z"),
            ("2023-01-01T00:00:00.1234567891Z", nil), ("2023-01-0١T00:00:00Z", nil), ("", nil),
        ] as [(String, String?)]
    )
    func days(text: String, instant: String?) {
        #expect(EventInstant(text)?.description == instant)
    }
}
