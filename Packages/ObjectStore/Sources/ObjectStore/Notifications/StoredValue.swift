import EventModel
import ObjectQueries

/// A value as a column holds it.
enum StoredValue: Hashable {
    case null
    case int(Int64)
    case number(UInt64)
    case bytes([UInt8], isText: Bool)
    /// A value that may have any type, with the number of its type.
    indirect case tagged(StoredValue, Int64)
    /// A link that a value of any type holds.
    case link(className: String, key: Int64)
    /// A list inside a value of any type.
    case list([StoredValue])
    /// A dictionary inside a value of any type, in the order of its keys' bytes.
    case dictionary([Entry])

    /// A value of a dictionary; two keys are the same when their bytes are.
    struct Entry: Hashable {
        let key: [UInt8]
        let value: StoredValue
    }

    /// Reads a value, and its type from the next column where it may have any.
    init(_ statement: Statement, _ column: Int32, isAny: Bool = false) {
        if isAny {
            if case .link(let className, let key) = AnyCell(column: column, of: statement.handle) {
                self = .link(className: className, key: key)
            } else {
                self = .tagged(StoredValue(statement, column), statement.int(column + 1))
            }
            return
        }
        switch statement.kind(column) {
        case .null: self = .null
        case .int: self = .int(statement.int(column))
        case .number: self = .number(statement.double(column).bitPattern)
        case .text: self = .bytes(Array(statement.bytes(column)), isText: true)
        case .blob: self = .bytes(Array(statement.bytes(column)), isText: false)
        }
    }

    /// Whether the value, or one inside it, is a link of which a test is true.
    func hasLink(where isChanged: (_ className: String, _ key: Int64) -> Bool) -> Bool {
        switch self {
        case .link(let className, let key): isChanged(className, key)
        case .list(let values): values.contains { $0.hasLink(where: isChanged) }
        case .dictionary(let values): values.contains { $0.value.hasLink(where: isChanged) }
        case .null, .int, .number, .bytes, .tagged: false
        }
    }

    /// The key of a nested list or dictionary that was not read yet.
    fileprivate var nestedKey: NestedKey? {
        guard case .tagged(.int(let key), let tag) = self else { return nil }
        switch tag {
        case Int64(PackedValue.Tag.list.rawValue): return NestedKey(key: key, isDictionary: false)
        case Int64(PackedValue.Tag.dictionary.rawValue): return NestedKey(key: key, isDictionary: true)
        default: return nil
        }
    }
}

/// Names a list or dictionary inside a value of any type.
struct NestedKey: Hashable, Sendable {
    let key: Int64
    let isDictionary: Bool

    /// The table of its elements.
    var table: String { isDictionary ? StorageNames.nestedEntries : StorageNames.nestedElements }
}

extension [StoredValue] {
    /// The same values with what their lists and dictionaries hold: a change inside one is a change of the value.
    ///
    /// - Complexity: Two statements for each level of nesting.
    func withNestedValues(_ table: ClassTable) throws(Realm.Error) -> [StoredValue] {
        var known: [NestedKey: StoredValue] = [:]
        var levels: [[NestedKey]] = []
        var keys = compactMap(\.nestedKey)
        while !keys.isEmpty {
            levels.append(keys)
            let read = try Self.contents(of: keys, table)
            known.merge(read) { first, _ in first }
            keys = read.values.flatMap(\.inner).compactMap(\.nestedKey)
        }
        // From the inside to the outside, so that each has what its own elements hold.
        for key in levels.reversed().joined() { known[key] = known[key]?.filled(known) }
        return map { value in value.nestedKey.flatMap { known[$0] } ?? value }
    }

    private static func contents(of keys: [NestedKey], _ table: ClassTable) throws(Realm.Error) -> [NestedKey:
        StoredValue]
    {
        var lists: [Int64: [StoredValue]] = [:]
        var dictionaries: [Int64: [StoredValue.Entry]] = [:]
        for isDictionary in [false, true] {
            let wanted = keys.filter { $0.isDictionary == isDictionary }.map(\.key)
            guard !wanted.isEmpty else { continue }
            let label = isDictionary ? StorageNames.entryKey : StorageNames.position
            let statement = try table.statement(
                """
                SELECT \(StorageNames.owner), \(label), \(StorageNames.value), \(StorageNames.valueType) \
                FROM \(NestedKey(key: 0, isDictionary: isDictionary).table) \
                WHERE \(StorageNames.owner) IN (SELECT value FROM json_each(?1)) ORDER BY \(StorageNames.owner), \(label)
                """
            )
            statement.bind(1, wanted.jsonArray)
            while try statement.step() {
                let value = StoredValue(statement, 2, isAny: true)
                if isDictionary {
                    let entry = StoredValue.Entry(key: [UInt8](statement.bytes(1)), value: value)
                    dictionaries[statement.int(0), default: []].append(entry)
                } else {
                    lists[statement.int(0), default: []].append(value)
                }
            }
        }
        var contents: [NestedKey: StoredValue] = [:]
        for key in keys {
            contents[key] = key.isDictionary ? .dictionary(dictionaries[key.key] ?? []) : .list(lists[key.key] ?? [])
        }
        return contents
    }
}

extension StoredValue {
    /// The values directly inside.
    fileprivate var inner: [StoredValue] {
        switch self {
        case .list(let values): values
        case .dictionary(let entries): entries.map(\.value)
        case .null, .int, .number, .bytes, .tagged, .link: []
        }
    }

    /// The same with nested lists and dictionaries in place of their keys.
    fileprivate func filled(_ known: [NestedKey: StoredValue]) -> StoredValue {
        func whole(_ value: StoredValue) -> StoredValue { value.nestedKey.flatMap { known[$0] } ?? value }
        return switch self {
        case .list(let values): .list(values.map(whole))
        case .dictionary(let entries): .dictionary(entries.map { Entry(key: $0.key, value: whole($0.value)) })
        case .null, .int, .number, .bytes, .tagged, .link: self
        }
    }
}
