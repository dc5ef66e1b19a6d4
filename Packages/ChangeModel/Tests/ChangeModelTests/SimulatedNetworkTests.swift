import ChangeModelTesting
import Testing

@Suite("Simulated network")
struct SimulatedNetworkTests {
    /// Sends a hundred messages and returns what arrives within a hundred moments, in order.
    private func arrivals(seed: UInt64, isCalm: Bool = false) -> [Int] {
        var network = SimulatedNetwork<Int>(seed: seed)
        network.isCalm = isCalm
        var arrived: [Int] = []
        for message in 0..<100 {
            network.send(message, device: message % 3)
            arrived += network.pass(devices: 3)
        }
        for _ in 0..<100 { arrived += network.pass(devices: 3) }
        return arrived
    }

    @Test("messages are lost, repeated and overtake each other")
    func bad() {
        let arrived = arrivals(seed: 1)

        #expect(Set(arrived).count < 100)
        #expect(Set(arrived).count < arrived.count)
        #expect(arrived != arrived.sorted())
    }

    @Test("equal seeds do the same, others do not")
    func seeds() {
        #expect(arrivals(seed: 1) == arrivals(seed: 1))
        #expect(arrivals(seed: 1) != arrivals(seed: 2))
    }

    @Test("a calm network brings everything once, at once")
    func calm() {
        #expect(arrivals(seed: 1, isCalm: true) == Array(0..<100))
    }
}
