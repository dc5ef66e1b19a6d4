/// Which properties were written of which rows.
///
/// Programs mostly go through rows in the order of their keys: as long as they do, this is a list that grows at its end.
struct WrittenSlots {
    /// A row and its properties.
    struct Row: Equatable {
        let key: Int64
        var slots: ExactSlots
    }

    /// Rows in the order of their keys.
    private var ordered: [Row] = []
    /// Rows that came after those of greater keys.
    private var others: [Int64: ExactSlots] = [:]
    /// The properties that were written of any row.
    private(set) var all = ExactSlots()

    var isEmpty: Bool { ordered.isEmpty }

    /// Notes that a property of a row was written.
    ///
    /// - Complexity: O(1) in the order of the keys; else O(log *n*) in the rows.
    mutating func insert(_ key: Int64, _ slot: Int) {
        all.insert(slot)
        guard let last = ordered.indices.last, ordered[last].key >= key else {
            ordered.append(Row(key: key, slots: ExactSlots(slot)))
            return
        }
        if let index = index(of: key) {
            ordered[index].slots.insert(slot)
        } else {
            others[key, default: ExactSlots()].insert(slot)
        }
    }

    /// Whether a property of a row was written.
    func contains(_ key: Int64, _ slot: Int) -> Bool {
        if let index = index(of: key) { return ordered[index].slots.contains(slot) }
        return others[key]?.contains(slot) ?? false
    }

    /// All rows in the order of their keys.
    ///
    /// - Complexity: O(*n* log *n*) in the rows that came out of order.
    var rows: [Row] {
        guard !others.isEmpty else { return ordered }
        return (ordered + others.map { Row(key: $0.key, slots: $0.value) }).sorted { $0.key < $1.key }
    }

    private func index(of key: Int64) -> Int? {
        guard var high = ordered.indices.last else { return nil }
        if ordered[high].key == key { return high }
        var low = 0
        while low < high {
            let middle = (low + high) / 2
            if ordered[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return ordered[low].key == key ? low : nil
    }
}
