import Dispatch
import Foundation
import Testing

@testable import EventModel

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

    @Test("a recent reading is never earlier than one that was taken before, nor later than one that is taken after")
    func recent() {
        let clock = SystemClock()

        let readings = (0..<100_000).map { $0.isMultiple(of: 1000) ? clock.now() : clock.recent() }

        #expect(readings.map(\.monotonicNanoseconds) == readings.map(\.monotonicNanoseconds).sorted())
        #expect(clock.now().monotonicNanoseconds >= readings[readings.count - 1].monotonicNanoseconds)
        #expect(Set(readings.map(\.boot)) == [Boot.current])
    }

    @Test("recent readings of several threads never go back, whatever the others read")
    func recentOnThreads() {
        let clock = SystemClock()

        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var last = clock.now().monotonicNanoseconds
            var isSorted = true
            for turn in 0..<20_000 {
                let reading = turn % 16 == thread ? clock.now() : clock.recent()
                isSorted = isSorted && reading.monotonicNanoseconds >= last
                last = reading.monotonicNanoseconds
            }
            #expect(isSorted, "thread \(thread)")
        }
    }

    @Test("the wall clock of a recent reading belongs to its monotonic time")
    func wallOfRecent() {
        let clock = SystemClock()

        let strays = (0..<10_000)
            .count { _ in
                let exact = clock.now()
                let recent = clock.recent()
                let wall = recent.wall.microseconds - exact.wall.microseconds
                let monotonic = Int64(recent.monotonicNanoseconds - exact.monotonicNanoseconds) / 1000
                return abs(wall - monotonic) > 1000
            }

        // A machine that stops the thread each time while it compares the clocks may make a few.
        #expect(strays < 100)
    }

    @Test("a time before 1970 is rounded down like any other, and no clock is too far away to be read")
    func beforeTheEpoch() {
        func wall(_ monotonic: Int64, _ offset: Int64) -> Int64 {
            SystemClock.reading(at: monotonic, offset: offset, boot: .unknown).wall.microseconds
        }

        #expect(wall(1000, -2500) == -2)
        #expect(wall(1999, 0) == 1)
        #expect(wall(.max, .max) == Int64.max / 1000)
        #expect(wall(.min, -1) == Int64.min / 1000 - 1)
        // A program that makes clocks lie sets back this one, too.
        #expect(SystemClock.reading(at: -5_000_000_000, offset: 0, boot: .unknown).monotonicNanoseconds == 0)
        #expect(SystemClock.nanoseconds(timespec(tv_sec: -1, tv_nsec: 999_999_999)) == -1)
        #expect(SystemClock.nanoseconds(timespec(tv_sec: 1 << 40, tv_nsec: 0)) == .max)
        #expect(SystemClock.nanoseconds(timespec(tv_sec: -1 << 40, tv_nsec: 0)) == .min)
    }

    @Test("a run of the system is known by the UUID that it names, whatever ends the text")
    func boots() {
        let boot = Boot(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        for text in [
            "01234567-89ab-cdef-fedc-ba9876543210\n", "01234567-89AB-CDEF-FEDC-BA9876543210\0\0", boot.hex,
        ] {
            #expect(Boot(uuid: text.utf8) == boot)
        }
        #expect(Boot(uuid: "".utf8) == nil)
        #expect(Boot(uuid: "01234567-89ab-cdef-fedc-ba987654321".utf8) == nil)
        #expect(Boot.current != .unknown)
    }
}
