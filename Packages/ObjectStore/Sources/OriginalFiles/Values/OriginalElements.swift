/// The elements of a list or set, one after the other.
///
/// ```swift
/// var elements = try batch.elements(property: 2, at: row)
/// while let element = try batch.next(&elements) { print(element) }
/// ```
package struct OriginalElements {
    /// How many there are, with links that lead nowhere.
    package let count: Int
    private let leaves: [ColumnReader]
    private var leaf = 0
    private var index = 0

    init(_ leaves: [ColumnReader]) {
        self.leaves = leaves
        count = leaves.reduce(0) { $0 + $1.count }
    }

    /// Reads the next element; nil behind the last.
    mutating func next(_ context: ValueContext) throws(OriginalFileError) -> OriginalValue? {
        guard advance() else { return nil }
        return try leaves[leaf].value(index - 1, context)
    }

    /// Reads the next element, or finds where the list or dictionary lies that it is; nil behind the last.
    mutating func nextPart(_ context: ValueContext) throws(OriginalFileError) -> NestedPart? {
        guard advance() else { return nil }
        return try leaves[leaf].part(index - 1, context)
    }

    private mutating func advance() -> Bool {
        while leaf < leaves.count {
            if index < leaves[leaf].count {
                index += 1
                return true
            }
            (leaf, index) = (leaf + 1, 0)
        }
        return false
    }
}

/// The entries of a dictionary, one after the other, in no order.
///
/// ```swift
/// var entries = try batch.entries(property: 2, at: row)
/// while let entry = try batch.next(&entries) { print(entry.key) }
/// ```
package struct OriginalEntries {
    var keys: OriginalElements
    var values: OriginalElements

    /// Reads the next entry; nil behind the last.
    mutating func next(_ context: ValueContext) throws(OriginalFileError) -> OriginalEntry? {
        guard let key = try keys.next(context) else { return nil }
        guard case .string(let key) = key, let value = try values.next(context) else {
            throw .damaged("an entry of a dictionary has no key")
        }
        return OriginalEntry(key: key, value: value)
    }
}
