import EventModel
import Foundation
import Testing

@Suite("SystemClock")
struct SystemClockTests {
    @Test("the wall clock is that of the machine, within the age of its offset")
    func wall() {
        let clock = SystemClock()

        for _ in 0..<10_000 {
            let before = Date().timeIntervalSince1970
            let reading = Double(clock.now().wall.microseconds) / 1_000_000
            let after = Date().timeIntervalSince1970

            #expect(reading > before - 0.002)
            #expect(reading < after + 0.002)
        }
    }

    @Test("the monotonic clock never goes back, and the boot stays")
    func monotonic() {
        let clock = SystemClock()

        let readings = (0..<10_000).map { _ in clock.now() }

        #expect(readings.map(\.monotonicNanoseconds) == readings.map(\.monotonicNanoseconds).sorted())
        #expect(Set(readings.map(\.boot)) == [Boot.current])
    }
}
