/// A value of any type before what lies inside of it is read.
enum NestedPart {
    /// A value that nothing lies inside of.
    case value(OriginalValue)
    /// A list by its root; nil when it is empty.
    case list(Int64?)
    /// A dictionary by its root; nil when it is empty.
    case dictionary(Int64?)
}

/// Reads lists and dictionaries inside values of any type.
///
/// What is being read lies in an array and not on the stack, which may be small where an app imports a file.
struct NestedValues {
    /// A list or dictionary of which some is read.
    private struct Open {
        var elements: OriginalElements
        /// The keys of a dictionary.
        var keys: OriginalElements?
        var key = ""
        var values: [OriginalValue] = []
        var entries: [OriginalEntry] = []

        var value: OriginalValue { keys == nil ? .list(values) : .dictionary(entries) }

        mutating func append(_ value: OriginalValue) {
            if keys == nil { values.append(value) } else { entries.append(OriginalEntry(key: key, value: value)) }
        }
    }

    private let depth: Int

    /// Begins where some lists and dictionaries lie around.
    init(_ depth: Int) { self.depth = depth }

    /// Reads all of a value.
    @inline(__always)
    func value(_ part: NestedPart, _ context: ValueContext) throws(OriginalFileError) -> OriginalValue {
        if case .value(let value) = part { return value }
        return try whole(part, context)
    }

    private func whole(_ part: NestedPart, _ context: ValueContext) throws(OriginalFileError) -> OriginalValue {
        var open = [try begin(part, depth, context)]
        while let last = open.indices.last {
            guard let part = try nextPart(&open[last], context) else {
                let value = open[last].value
                open.removeLast()
                guard let outer = open.indices.last else { return value }
                open[outer].append(value)
                continue
            }
            if case .value(let value) = part {
                open[last].append(value)
            } else {
                open.append(try begin(part, depth + open.count, context))
            }
        }
        return .null
    }

    private func begin(
        _ part: NestedPart,
        _ depth: Int,
        _ context: ValueContext
    ) throws(OriginalFileError) -> Open {
        switch part {
        case .value: return Open(elements: OriginalElements([]))
        case .list(nil): return Open(elements: OriginalElements([]))
        case .dictionary(nil): return Open(elements: OriginalElements([]), keys: OriginalElements([]))
        case .list(let root?):
            return Open(elements: OriginalElements(try context.leaves(root, .anything, depth: depth)))
        case .dictionary(let root?):
            let entries = try context.entries(root, depth: depth)
            return Open(elements: entries.values, keys: entries.keys)
        }
    }

    private func nextPart(_ open: inout Open, _ context: ValueContext) throws(OriginalFileError) -> NestedPart? {
        if open.keys != nil {
            guard let key = try open.keys?.next(context) else { return nil }
            guard case .string(let text) = key else { throw .damaged("an entry of a dictionary has no key") }
            open.key = text
        }
        return try open.elements.nextPart(context)
    }
}
