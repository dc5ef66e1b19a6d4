import EventModel
import Testing

@Suite("How long the texts of an event may be")
struct EventBoundsTests {
    @Test("a name that fits stays, a longer one is cut between characters of Unicode", arguments: ["a", "é", "語", "🩺"])
    func names(scalar: String) {
        for count in [0, 1, 255, 256, 340, 341, 342, 1024, 1025, 100_000] {
            let name = String(repeating: scalar, count: count)
            let fitting = AuditEvent.fitting(name)

            #expect(fitting.utf8.count <= AuditEvent.maximumNameBytes)
            #expect((fitting == name) == (name.utf8.count <= AuditEvent.maximumNameBytes))
            #expect(fitting == name || fitting.utf8.count > AuditEvent.maximumNameBytes - 4)
            #expect(fitting == name || fitting == String(name.prefix(fitting.count - 1)) + "…")
        }
    }

    @Test("metadata has 64 KiB in all, keys included")
    func metadata() throws {
        let fits = try EventMetadata(["ab": String(repeating: "x", count: 65_530), "cd": "12"])
        let long = try EventMetadata(["ab": String(repeating: "x", count: 65_530), "cd": "123"])

        try fits.checkSize()
        #expect(fits.byteCount == EventMetadata.maximumBytes)
        #expect(throws: EventModelError.metadataTooLong(byteCount: 65_537)) { try long.checkSize() }
    }
}
