import ChangeModel

/// The places of one list, and the walk through them.
struct PlainList {
    private struct Place {
        let element: ElementID
        let stamp: Stamp
        let anchor: Stamp?
        let number: Int
    }

    private var places: [Place] = []

    /// Adds a place before the one at which the author saw an element.
    mutating func add(_ element: ElementID, before right: ElementID?, _ sent: PlainOperation) {
        let seen = places.filter {
            $0.element == right && ($0.number <= sent.base || $0.stamp.file == sent.stamp.file)
        }
        places.append(
            Place(element: element, stamp: sent.stamp, anchor: seen.map(\.stamp).max(), number: sent.number)
        )
    }

    /// The elements, each at the newest of its places.
    var order: [ElementID] {
        walk(before: nil)
            .filter { place in !places.contains { $0.element == place.element && $0.stamp > place.stamp } }
            .map(\.element)
    }

    private func walk(before anchor: Stamp?) -> [Place] {
        places.filter { $0.anchor == anchor }
            .sorted { $0.stamp < $1.stamp }
            .flatMap { walk(before: $0.stamp) + [$0] }
    }
}
