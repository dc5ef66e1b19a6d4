import EventModel

// A property of any type has two columns, value and tag. Numbers compare with each other by value, everything else
// only with its own type; a comparison of different types is false.
extension Operand {
    /// Compares a value of any type with a constant.
    func anyCompared(
        _ comparison: QueryPredicate.Operator,
        with constant: Value,
        _ options: QueryPredicate.Options
    ) throws(QueryError) -> SQL {
        guard let type = typeSQL else { throw invalid("its type is not known") }
        guard comparison != .notEqual else {
            return "(\(try anyCompared(.equal, with: constant, options))) IS NOT TRUE"
        }
        switch constant {
        case .null:
            guard comparison == .equal else { return "0" }
            return "ifnull(\(type), 0) = \(tag(.null))"
        case .bool(let truth):
            guard comparison == .equal else { throw invalid("truth values have no order") }
            return "\(type) = \(tag(truth ? .true : .false))"
        case .int, .float, .double:
            let isNumber: SQL = "\(type) BETWEEN \(tag(.int)) AND \(tag(.double))"
            let number = try conjunction(isNumber, .double, comparison, constant, options)
            let decimal = try asDecimal.conjunction(
                isTag(type, .decimal128),
                .decimal128,
                comparison,
                constant,
                options
            )
            return "(\(number) OR \(decimal))"
        case .string: return try conjunction(isTag(type, .string), .string, comparison, constant, options)
        case .data: return try conjunction(isTag(type, .data), .data, comparison, constant, options)
        case .date: return try conjunction(isTag(type, .date), .date, comparison, constant, options)
        case .objectId: return try conjunction(isTag(type, .objectId), .objectId, comparison, constant, options)
        case .uuid: return try conjunction(isTag(type, .uuid), .uuid, comparison, constant, options)
        case .decimal128:
            return try asDecimal.conjunction(Self.isNumberTag(type), .decimal128, comparison, constant, options)
        case .link(let reference):
            guard comparison == .equal else { throw invalid("objects have no order") }
            let link = Value.string(StorageNames.link(reference.className, reference.key))
            return "(\(isTag(type, .link)) AND \(sql) = \(.argument(link)))"
        case .list, .dictionary:
            guard comparison == .equal else { throw invalid("lists and dictionaries have no order") }
            return try nestedEquals(constant, type)
        case .object:
            guard comparison == .equal else { throw invalid("objects have no order") }
            // An object that no realm has equals none that is stored.
            return "0"
        }
    }

    /// Whether a tag is that of a number.
    static func isNumberTag(_ type: SQL) -> SQL {
        let tags = [PackedValue.Tag.int, .float, .double, .decimal128].map { String($0.rawValue) }
        return "\(type) IN (\(tags.joined(separator: ", ")))"
    }

    private func conjunction(
        _ isType: SQL,
        _ kind: PropertyShape.Kind,
        _ comparison: QueryPredicate.Operator,
        _ constant: Value,
        _ options: QueryPredicate.Options
    ) throws(QueryError) -> SQL {
        var typed = self
        typed.kind = kind
        typed.typeSQL = nil
        return "(\(isType) AND \(try typed.compared(comparison, with: constant, options)))"
    }

    private func isTag(_ type: SQL, _ expected: PackedValue.Tag) -> SQL {
        "\(type) = \(tag(expected))"
    }

    private func tag(_ tag: PackedValue.Tag) -> Int {
        Int(tag.rawValue)
    }
}
