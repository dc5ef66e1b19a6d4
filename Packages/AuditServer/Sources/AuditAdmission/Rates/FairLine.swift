/// A bounded line in which each place gets its turn, however many of another place wait.
///
/// Pure: the owner does what it says.
package struct FairLine<Element> {
    private let maximum: Int
    /// Those who wait, by place, the first who came at the end.
    private var waiting: [String: [Element]] = [:]  // TEXT: names of networks, which are ASCII.
    /// The places in the order of their turns.
    private var turns: [String] = []
    /// How many wait.
    package private(set) var count = 0

    /// Creates an empty line.
    ///
    /// - Parameter maximum: How many may wait.
    package init(maximum: Int) {
        self.maximum = maximum
    }

    /// Lets somebody wait.
    ///
    /// - Returns: Who has to go because the line is full: the newcomer, when nobody's place has more who wait, or else the last
    ///   one of the place that has the most.
    /// - Complexity: O(*n*) in those who wait.
    package mutating func enter(_ element: Element, from place: String) -> Element? {
        var displaced: Element?
        if count >= maximum {
            let own = waiting[place]?.count ?? 0
            guard let fullest = turns.max(by: { waiting[$0, default: []].count < waiting[$1, default: []].count }),
                waiting[fullest, default: []].count > own + 1
            else { return element }
            displaced = waiting[fullest]?.removeFirst()
            count -= 1
        }
        if waiting[place] == nil { turns.append(place) }
        waiting[place, default: []].insert(element, at: 0)
        count += 1
        return displaced
    }

    /// Takes whoever has the turn out of the line; nil when nobody waits.
    package mutating func next() -> Element? {
        guard let place = turns.first, let element = waiting[place]?.popLast() else { return nil }
        turns.removeFirst()
        count -= 1
        if waiting[place]?.isEmpty == true { waiting[place] = nil } else { turns.append(place) }
        return element
    }
}
