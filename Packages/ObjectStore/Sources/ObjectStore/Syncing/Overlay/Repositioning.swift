/// How positions of a list change when a stretch of it gets others: what lies between two rows stays between them.
struct Repositioning {
    /// The position of the row in front of the stretch; nil at the begin of the list.
    let previous: Int64?
    let old: [Int64]
    let new: [Int64]
    /// The position of the row behind the stretch; nil at the end of the list.
    let next: Int64?

    /// Where a position goes.
    func position(_ position: Double) -> Double {
        guard let first = old.first, let last = old.last, let newFirst = new.first, let newLast = new.last else {
            return position
        }
        if position < Double(first) {
            guard let previous else { return position - Double(first) + Double(newFirst) }
            guard position > Double(previous) else { return position }
            return Self.between(position, (previous, first), (previous, newFirst))
        }
        if position > Double(last) {
            guard let next else { return position - Double(last) + Double(newLast) }
            guard position < Double(next) else { return position }
            return Self.between(position, (last, next), (newLast, next))
        }
        var (low, high) = (0, old.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if Double(old[middle]) < position { low = middle + 1 } else { high = middle }
        }
        if Double(old[low]) == position { return Double(new[low]) }
        return Self.between(position, (old[low - 1], old[low]), (new[low - 1], new[low]))
    }

    private static func between(_ position: Double, _ old: (Int64, Int64), _ new: (Int64, Int64)) -> Double {
        let share = (position - Double(old.0)) / (Double(old.1) - Double(old.0))
        return Double(new.0) + share * (Double(new.1) - Double(new.0))
    }
}
