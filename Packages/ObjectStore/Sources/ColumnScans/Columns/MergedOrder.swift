/// The order that two ascending sequences of keys have together; of a key that both have, the row of the second one counts.
struct MergedOrder {
    /// A row of one of the two.
    struct Place {
        let row: Int
        /// Whether it is one of the second.
        let isNew: Bool
    }

    /// The keys of both.
    private(set) var keys: [Int64] = []
    /// Where the row of each key comes from.
    private(set) var places: [Place] = []

    /// Merges the keys.
    init(of old: [Int64], with new: [Int64]) {
        keys.reserveCapacity(old.count + new.count)
        places.reserveCapacity(old.count + new.count)
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            let isNew = left == old.count || right < new.count && new[right] <= old[left]
            if isNew, left < old.count, old[left] == new[right] { left += 1 }
            keys.append(isNew ? new[right] : old[left])
            places.append(Place(row: isNew ? right : left, isNew: isNew))
            if isNew { right += 1 } else { left += 1 }
        }
    }
}
