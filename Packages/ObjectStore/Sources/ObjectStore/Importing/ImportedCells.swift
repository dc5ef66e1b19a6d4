import CSQLite
import EventModel
import Foundation
import ObjectQueries
import OriginalFiles

/// Writes values of the original into columns, also what lies inside values of any type.
final class ImportedCells {
    private let connection: Connection
    private let classNames: [String]
    private var nested: Statement?
    private var elements: Statement?
    private var entries: Statement?

    /// The property of a row that a value belongs to.
    struct Owner {
        let className: String
        let property: String
        let row: Int64
    }

    init(_ connection: Connection, classNames: [String]) {
        self.connection = connection
        self.classNames = classNames
    }

    /// Binds a value of a property that has one type.
    @inline(__always)
    func bind(_ value: OriginalValue, _ statement: Statement, _ index: Int32) {
        switch value {
        case .int(let number): statement.bind(index, number)
        case .link(_, let key): statement.bind(index, key)
        case .string(let text): statement.bind(index, text)
        case .double(let number): bindNumber(number, statement.handle, index)
        case .date(let seconds, let nanoseconds):
            bindNumber(OriginalValue.interval(seconds, nanoseconds), statement.handle, index)
        default: Self.scalar(value).bind(to: statement.handle, at: index)
        }
    }

    /// Binds a value of any type, and its type behind it.
    func bindAny(
        _ value: OriginalValue,
        _ statement: Statement,
        _ index: Int32,
        _ owner: Owner
    ) throws(Realm.Error) {
        try cell(value, owner, depth: 1).bind(to: statement.handle, at: index)
    }

    private func cell(_ value: OriginalValue, _ owner: Owner, depth: Int) throws(Realm.Error) -> AnyCell {
        switch value {
        case .link(let index, let key): return .link(className: classNames[index], key: key)
        case .list(let values):
            let key = try makeNested(owner, depth)
            let insert = try prepared(\.elements, "INSERT INTO \(StorageNames.nestedElements) VALUES (?1, ?2, ?3, ?4)")
            for (index, value) in values.enumerated() {
                // What lies inside is written first: it uses the same statement.
                let cell = try cell(value, owner, depth: depth + 1)
                insert.bind(1, key)
                insert.bind(2, Int64(index) * OrderKeys.spacing)
                cell.bind(to: insert.handle, at: 3)
                try insert.run()
            }
            return .list(key)
        case .dictionary(let values):
            let key = try makeNested(owner, depth)
            let insert = try prepared(\.entries, "INSERT INTO \(StorageNames.nestedEntries) VALUES (?1, ?2, ?3, ?4)")
            for entry in values {
                let cell = try cell(entry.value, owner, depth: depth + 1)
                insert.bind(1, key)
                insert.bind(2, entry.key)
                cell.bind(to: insert.handle, at: 3)
                try insert.run()
            }
            return .dictionary(key)
        default: return .value(Self.scalar(value))
        }
    }

    private func makeNested(_ owner: Owner, _ depth: Int) throws(Realm.Error) -> Int64 {
        guard depth <= ObjectSource.maximumDepth else { throw .tooDeep(owner.className) }
        let insert = try prepared(
            \.nested,
            """
            INSERT INTO \(StorageNames.nested) (\(StorageNames.ownerClass), \(StorageNames.owner), \
            \(StorageNames.ownerProperty), \(StorageNames.depth)) VALUES (?1, ?2, ?3, ?4)
            """
        )
        insert.bind(1, owner.className)
        insert.bind(2, owner.row)
        insert.bind(3, owner.property)
        insert.bind(4, Int64(depth))
        try insert.run()
        return connection.lastInsertedKey
    }

    private func prepared(
        _ place: ReferenceWritableKeyPath<ImportedCells, Statement?>,
        _ sql: String
    ) throws(Realm.Error) -> Statement {
        if let known = self[keyPath: place] { return known }
        let made = try connection.prepare(sql)
        self[keyPath: place] = made
        return made
    }

    private static func scalar(_ value: OriginalValue) -> Value {
        switch value {
        case .int(let number): .int(number)
        case .bool(let truth): .bool(truth)
        case .float(let number): .float(number)
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .data(let bytes): .data(bytes)
        case .date(let seconds, let nanoseconds):
            .date(Date(timeIntervalSinceReferenceDate: OriginalValue.interval(seconds, nanoseconds)))
        case .instant(let interval): .date(Date(timeIntervalSinceReferenceDate: interval))
        case .decimal(let number): .decimal128(number)
        case .objectId(let id): .objectId(id)
        case .uuid(let id): .uuid(id)
        case .null, .link, .list, .dictionary: .null
        }
    }
}
