import EventModel

// A list or a dictionary inside a value of any type equals one of the same count whose values are equal place by place.
extension Operand {
    /// Whether a value of any type is a list or a dictionary with these values.
    ///
    /// `depth` says how many such lists and dictionaries are around it: each has a name of its own in the statement.
    func nestedEquals(_ constant: Value, _ type: SQL, depth: Int = 0) throws(QueryError) -> SQL {
        guard depth < 24 else {
            throw .tooComplex(className: className, reason: "a list or dictionary lies too deep inside others")
        }
        let alias = StorageNames.quoted("$v\(depth)")
        let value = "\(alias).\(StorageNames.value)"
        var inner = self
        inner.sql = SQL(value)
        inner.stored = inner.sql
        inner.typeSQL = SQL("\(alias).\(StorageNames.valueType)")
        let tag: PackedValue.Tag
        let table: String
        var places: [(condition: SQL, value: Value)] = []
        switch constant {
        case .list(let values):
            (tag, table) = (.list, StorageNames.nestedElements)
            for (index, value) in values.enumerated() {
                // Positions have gaps: the element with so many before it.
                let position: SQL = """
                    \(alias).\(StorageNames.position) = (SELECT \(StorageNames.position) FROM \(table) \
                    WHERE \(StorageNames.owner) = \(stored) ORDER BY \(StorageNames.position) \
                    LIMIT 1 OFFSET \(.argument(.int(Int64(index)))))
                    """
                places.append((position, value))
            }
        case .dictionary(let entries):
            (tag, table) = (.dictionary, StorageNames.nestedEntries)
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                places.append(("\(alias).\(StorageNames.entryKey) = \(.argument(.string(key)))", value))
            }
        default: throw invalid("a property of any type cannot be compared with a \(constant.typeName)")
        }
        let owner: SQL = "\(alias).\(StorageNames.owner) = \(stored)"
        let source = "FROM \(table) AS \(alias) WHERE"
        var conditions: [SQL] = [
            "\(type) = \(Int(tag.rawValue))", "(SELECT count(*) \(source) \(owner)) = \(places.count)",
        ]
        for place in places {
            let isEqual: SQL
            switch place.value {
            case .list, .dictionary:
                isEqual = try inner.nestedEquals(place.value, inner.typeSQL ?? type, depth: depth + 1)
            default: isEqual = try inner.anyCompared(.equal, with: place.value, [])
            }
            conditions.append("EXISTS (SELECT 1 \(source) \(owner) AND \(place.condition) AND \(isEqual))")
        }
        return "(\(.joined(conditions, by: " AND ")))"
    }
}
