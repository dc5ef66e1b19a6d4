import Testing

@testable import SyncTransport

@Suite("Backoff")
struct BackoffTests {
    @Test("the ceiling doubles from half a second to five minutes and stays there")
    func doubles() {
        var backoff = Backoff(minimum: .milliseconds(500), maximum: .seconds(300))

        let pauses = (0..<12).map { _ in backoff.next(fraction: 1) }

        let expected: [Double] = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
        #expect(pauses == expected.map { Duration.seconds($0) })
    }

    @Test("the pause is the random part of the ceiling, down to nothing", arguments: [0, 0.25, 0.5, 1])
    func fullJitter(fraction: Double) {
        var backoff = Backoff(minimum: .seconds(1), maximum: .seconds(300))

        #expect(backoff.next(fraction: fraction) == .seconds(1) * fraction)
    }

    @Test("a thousand attempts neither overflow nor end")
    func neverEnds() {
        var backoff = Backoff(minimum: .milliseconds(500), maximum: .seconds(300))

        for _ in 0..<1000 { _ = backoff.next(fraction: 1) }

        #expect(backoff.next(fraction: 1) == .seconds(300))
    }

    @Test("progress makes the next pause short")
    func reset() {
        var backoff = Backoff(minimum: .milliseconds(500), maximum: .seconds(300))
        _ = backoff.next(fraction: 1)
        _ = backoff.next(fraction: 1)

        backoff.reset()

        #expect(backoff.next(fraction: 1) == .milliseconds(500))
    }
}
