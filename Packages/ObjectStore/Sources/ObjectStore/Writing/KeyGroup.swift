/// Row keys of one class that a statement is given together.
struct KeyGroup {
    /// How many keys a statement gets at most.
    ///
    /// More would not be faster, and the text that carries them would grow with the count of objects.
    static let maximumCount = 1000

    let keys: ArraySlice<Int64>

    /// Divides keys into groups, in order.
    static func groups(of keys: [Int64]) -> [KeyGroup] {
        stride(from: 0, to: keys.count, by: maximumCount)
            .map { start in
                KeyGroup(keys: keys[start..<min(start + maximumCount, keys.count)])
            }
    }

    /// What a column has to be, for the argument of ``bind(to:)``: one key has a form of its own, which is faster.
    var comparison: String {
        keys.count == 1 ? "= ?1" : "IN (SELECT value FROM json_each(?1))"
    }

    /// Gives a statement the keys.
    func bind(to statement: Statement) {
        if keys.count == 1, let key = keys.first {
            statement.bind(1, key)
        } else {
            statement.bind(1, keys.jsonArray)
        }
    }
}
