/// Row keys of one class that a statement is given together.
struct KeyGroup {
    /// How many keys without an order a statement gets at most.
    ///
    /// More would not be faster, and the text that carries them would grow with the count of objects.
    static let maximumCount = 1000
    /// How many keys follow each other at least in a group that has a first and a last one.
    static let minimumRun = 16

    let keys: ArraySlice<Int64>
    /// Whether each key is the one after the key before it, so that no list of them is needed.
    let isRun: Bool
    /// Whether the class has no other rows, so that a statement needs no key.
    var isEverything = false

    /// The keys of all rows of a class.
    init(all keys: [Int64]) {
        self.keys = keys[...]
        isRun = false
        isEverything = true
    }

    private init(keys: ArraySlice<Int64>, isRun: Bool) {
        self.keys = keys
        self.isRun = isRun
    }

    /// Divides keys into groups, in order: long runs, however long, and what lies between them.
    static func groups(of keys: [Int64]) -> [KeyGroup] {
        var groups: [KeyGroup] = []
        var (listed, start) = (0, 0)
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end] > keys[end - 1], keys[end] == keys[end - 1] + 1 { end += 1 }
            if end - start >= minimumRun {
                groups += lists(of: keys[listed..<start])
                groups.append(KeyGroup(keys: keys[start..<end], isRun: true))
                listed = end
            }
            start = end
        }
        return groups + lists(of: keys[listed...])
    }

    private static func lists(of keys: ArraySlice<Int64>) -> [KeyGroup] {
        stride(from: keys.startIndex, to: keys.endIndex, by: maximumCount)
            .map { start in
                KeyGroup(keys: keys[start..<min(start + maximumCount, keys.endIndex)], isRun: false)
            }
    }

    /// What a column has to be, for the arguments of ``bind(to:)``: a run, or one key, has a form of its own, which is faster.
    var comparison: String {
        if isEverything { return "IS NOT NULL" }
        if isRun { return "BETWEEN ?1 AND ?2" }
        return keys.count == 1 ? "= ?1" : "IN (SELECT value FROM json_each(?1))"
    }

    /// What follows `DELETE FROM` a table whose column says which rows are meant: SQLite forgets a table at once when nothing follows.
    func condition(on column: String) -> String { isEverything ? "" : "WHERE \(column) \(comparison)" }

    /// Gives a statement the keys.
    func bind(to statement: Statement) {
        if isEverything { return }
        if isRun, let first = keys.first, let last = keys.last {
            statement.bind(1, first)
            statement.bind(2, last)
        } else if keys.count == 1, let key = keys.first {
            statement.bind(1, key)
        } else {
            statement.bind(1, keys.jsonArray)
        }
    }
}
