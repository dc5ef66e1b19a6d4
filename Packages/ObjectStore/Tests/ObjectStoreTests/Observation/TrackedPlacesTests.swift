import Observation
import Testing

@testable import ObjectStore

@Suite("The places of tracked properties")
struct TrackedPlacesTests {
    private let boats = ObjectIdentifier(TrackedBoat.self)

    @Test("Observation tells by hashing whether a read is tracked")
    func probe() {
        let probe = TrackingProbe()
        let isKnown = TrackingProbe.tells
        #expect(isKnown)
        #expect(!probe.isTracked)
        let (first, second) = withObservationTracking {
            (probe.isTracked, probe.isTracked)
        } onChange: {
        }
        #expect(first && second)
        #expect(!probe.isTracked)
    }

    @Test("of more objects than are kept in mind, all trackers are told")
    func bound() {
        let tracking = PropertyTracking()
        let first = TellCount()
        let last = TellCount()
        func track(_ key: Int, _ count: TellCount) {
            withObservationTracking {
                tracking.track(TrackedPlace(boats, Int64(key), slot: key % 3), at: 1)
            } onChange: {
                count.add()
            }
        }
        track(0, first)
        for key in 1..<PropertyTracking.maximumCount {
            tracking.track(TrackedPlace(boats, Int64(key), slot: 0), at: 1)
        }
        #expect(first.value == 0)
        track(PropertyTracking.maximumCount, last)
        #expect(first.value == 1 && last.value == 0 && tracking.isActive)
    }

    @Test("the last slots of very wide classes share one place")
    func wide() {
        #expect(TrackedPlace(boats, 1, slot: 62) != TrackedPlace(boats, 1, slot: 63))
        #expect(TrackedPlace(boats, 1, slot: 63) == TrackedPlace(boats, 1, slot: 64))
        #expect(SlotSet([1, 63, 99]).slots == [1, 63])
        #expect(SlotSet([1, 2]).subtracting(SlotSet(2)) == SlotSet(1))
        #expect(SlotSet.all.slots.count == 64 && SlotSet().slots.isEmpty)
    }
}
