import EventModel
import Testing

@Suite("ObservationGate")
struct ObservationGateTests {
    @Test("the gate is open while it was opened more often than closed")
    func nesting() {
        let gate = ObservationGate()

        #expect(!gate.isOpen)
        gate.open()
        gate.open()
        gate.close()
        #expect(gate.isOpen)
        gate.close()
        #expect(!gate.isOpen)
    }

    @Test("closing a closed gate traps with a sentence")
    func tooOften() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                ObservationGate().close()
            }
        )
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("closed more often"))
    }
}
