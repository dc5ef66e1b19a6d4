import EventModel
import Synchronization
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

    /// Counts how often it is notified.
    private final class Doorkeeper: ObservationGateWatcher {
        let openings = Atomic<Int>(0)

        func gateDidOpen() { openings.add(1, ordering: .relaxed) }
    }

    @Test("whoever watches is notified of each opening, while it exists, if the gate sees what is shown")
    func watching() {
        let (gate, other) = (ObservationGate(seesShownObjects: true), ObservationGate())
        let doorkeeper = Doorkeeper()
        weak var gone: Doorkeeper?
        gate.watch(doorkeeper)
        other.watch(doorkeeper)
        do {
            let brief = Doorkeeper()
            gate.watch(brief)
            gone = brief
        }

        gate.open()
        gate.open()
        other.open()

        #expect(doorkeeper.openings.load(ordering: .relaxed) == 2)
        #expect(gone == nil)
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
