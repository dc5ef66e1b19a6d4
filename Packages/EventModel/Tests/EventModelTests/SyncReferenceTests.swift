import EventModel
import EventModelTesting
import Testing

@Suite("An event's place in sync")
struct SyncReferenceTests {
    private static let history = (1...16).map { UInt8($0) }

    private static func named(_ change: Int = 0x0102_0304, _ count: Int = 2, position: Int = 0x0A0B) -> SyncReference {
        let file = SyncReference.File(history: history, number: 0x0506_0708)
        return SyncReference(file: file, position: position, change: change, changeCount: count)
    }

    private static func event(_ sync: SyncReference?) -> AuditEvent {
        AuditEvent(
            id: ObjectId(high: 1, low: 2),
            clock: ClockReading(
                wall: EventInstant(microseconds: 3),
                monotonicNanoseconds: 4,
                boot: Boot(high: 5, low: 6)
            ),
            activity: "a",
            event: "read",
            data: [0x7B, 0x7D],
            scopeCommitted: EventInstant(microseconds: 7),
            sync: sync
        )
    }

    @Test("it has the bytes that the documentation says")
    func bytes() {
        let expected: [UInt8] =
            Self.history + [5, 6, 7, 8] + [0, 0, 0, 0, 1, 2, 3, 4] + [0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0x0A, 0x0B]

        #expect(Self.named().bytes == expected)
        #expect(SyncReference(bytes: expected) == Self.named())
        #expect(Self.named().file?.history == Self.history)
        #expect(Self.named().changes == 0x0102_0303..<0x0102_0305)
    }

    @Test("the bytes of a file's events sort by change")
    func order() {
        let changes = [0, 1, 255, 256, 65_536, Int.max - 1]

        let bytes = changes.map { Self.named($0, 0, position: $0 % 3).bytes }

        #expect(zip(bytes, bytes.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test("a file that the server has not named is zeros")
    func unnamed() {
        let place = SyncReference(file: nil, position: 0, change: 3, changeCount: 1)

        #expect(place.bytes.prefix(20).allSatisfy { $0 == 0 })
        #expect(SyncReference(bytes: place.bytes) == place)
        #expect(SyncReference.File(history: Array(repeating: 0, count: 16), number: 1) == nil)
        #expect(SyncReference.File(history: Self.history, number: 0) == nil)
        #expect(SyncReference.File(history: [1], number: 1) == nil)
    }

    @Test(
        "bytes that contradict themselves are none",
        arguments: ["half", "name", "change", "position", "count", "long", "short"]
    )
    func contradictions(kind: String) {
        var bytes = Self.named().bytes
        switch kind {
        case "half": bytes.replaceSubrange(16..<20, with: [0, 0, 0, 0])
        case "name": bytes.replaceSubrange(0..<16, with: Array(repeating: 0, count: 16))
        case "change": bytes[20] = 0x80
        case "position": bytes[32] = 0x80
        case "count": bytes[28] = 2
        case "long": bytes.append(0)
        default: bytes.removeLast()
        }

        #expect(SyncReference(bytes: bytes) == nil)
    }

    @Test("an event without one keeps the bytes that it always had, one with it says so")
    func versions() throws {
        let plain = Self.event(nil).encoded
        let synced = Self.event(Self.named()).encoded

        let head: [UInt8] = [
            1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0,
        ]
        #expect(
            plain == head + [0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 6, 7, 0, 0, 0, 0, 0, 0, 0] + plain.suffix(11)
        )
        #expect(plain.suffix(11) == [1, 0x61, 4, 0x72, 0x65, 0x61, 0x64, 2, 0x7B, 0x7D, 0])
        #expect(synced == [2, 15] + plain[2..<55] + Self.named().bytes + plain[55...])
        for bytes in [plain, synced] {
            let copy = try bytes.withUnsafeBytes { try AuditEvent(encoded: $0) }
            #expect(copy.encoded == bytes)
            #expect(copy.encodedByteCount == bytes.count)
            #expect(bytes.withUnsafeBytes { AuditEvent.id(ofEncoded: $0) } == copy.id)
        }
        #expect(try synced.withUnsafeBytes { try AuditEvent(encoded: $0) }.sync == Self.named())
    }

    @Test("an event has one encoding: version and fields must fit, and no byte may be missing")
    func oneEncoding() {
        let (plain, synced) = (Self.event(nil).encoded, Self.event(Self.named()).encoded)
        var wrong: [[UInt8]] = (0..<synced.count).map { Array(synced[..<$0]) }
        wrong.append([2] + plain.dropFirst())
        wrong.append([1] + synced.dropFirst())
        wrong.append([3] + synced.dropFirst())
        wrong.append([0] + plain.dropFirst())
        wrong.append([2, 31] + synced.dropFirst(2))
        wrong.append(synced.enumerated().map { (71..<75).contains($0.offset) ? 0 : $0.element })

        for bytes in wrong {
            #expect(throws: EventModelError.self) { try bytes.withUnsafeBytes { try AuditEvent(encoded: $0) } }
        }
    }

    @Test("numbers that cannot be are refused")
    func numbers() async {
        await #expect(processExitsWith: .failure) { _ = SyncReference(file: nil, position: -1, change: 0) }
        await #expect(processExitsWith: .failure) { _ = SyncReference(file: nil, position: 0, change: .max) }
        await #expect(processExitsWith: .failure) {
            _ = SyncReference(file: nil, position: 0, change: 1, changeCount: 2)
        }
    }
}
