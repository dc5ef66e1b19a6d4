import AuditModel
import EventModel

/// Puts events of several devices into one order.
///
/// Within one run of a device its monotonic clock decides, which nobody can set. Between devices the wall clocks decide, which is
/// all that there is: the runs are merged like sorted lists, by the wall time of what each of them has next.
package enum ClockOrder {
    private struct Run: Hashable {
        let owner: EventOwner?
        let boot: Boot
    }

    /// Returns the observations in order.
    ///
    /// - Complexity: O(*n* log *n* + *n* *r*) for *r* runs.
    package static func sorted(_ observations: [ObjectEvent]) -> [ObjectEvent] {
        let runs = Dictionary(grouping: observations) { Run(owner: $0.owner, boot: $0.clock.boot) }
        var lists = runs.map { run, list in
            // Without a run the monotonic clock says nothing.
            run.boot == .unknown ? list.sorted(by: isEarlierByWall) : list.sorted(by: isEarlierByTicks)
        }
        // The order of a dictionary is another one each time; that of equal times must not be.
        lists.sort { isEarlierByWall($0[0], $1[0]) }
        var places = [Int](repeating: 0, count: lists.count)
        var merged: [ObjectEvent] = []
        merged.reserveCapacity(observations.count)
        while merged.count < observations.count {
            let heads = lists.indices.filter { places[$0] < lists[$0].count }
            guard
                let next = heads.min(by: { isEarlierByWall(lists[$0][places[$0]], lists[$1][places[$1]]) })
            else { break }
            merged.append(lists[next][places[next]])
            places[next] += 1
        }
        return merged
    }

    private static func isEarlierByWall(_ first: ObjectEvent, _ second: ObjectEvent) -> Bool {
        if first.clock.wall != second.clock.wall { return first.clock.wall < second.clock.wall }
        return isEarlierByPlace(first, second)
    }

    private static func isEarlierByTicks(_ first: ObjectEvent, _ second: ObjectEvent) -> Bool {
        let (one, other) = (first.clock.monotonicNanoseconds, second.clock.monotonicNanoseconds)
        return one == other ? isEarlierByPlace(first, second) : one < other
    }

    private static func isEarlierByPlace(_ first: ObjectEvent, _ second: ObjectEvent) -> Bool {
        first.address.partition == second.address.partition
            ? first.address.sequence < second.address.sequence : first.address.partition < second.address.partition
    }
}
