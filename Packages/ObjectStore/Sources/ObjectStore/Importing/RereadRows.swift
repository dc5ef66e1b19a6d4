import CSQLite
import EventModel
import Foundation
import ObjectQueries
import OriginalFiles

/// Reads what an import wrote, on its own, and sums it up as the import summed up what it read.
final class RereadRows {
    private let connection: Connection
    private let classIndexes: [String: Int]
    private var elements: Statement?
    private var entries: Statement?

    init(_ connection: Connection, classNames: [String]) {
        self.connection = connection
        classIndexes = Dictionary(zip(classNames, 0...)) { first, _ in first }
    }

    /// The elements of one collection property, which come in the order of the objects.
    private final class Cursor {
        let property: StoredProperty
        let statement: Statement
        /// Whose element is next; nil behind the last.
        private(set) var owner: Int64?

        init(_ property: StoredProperty, _ statement: Statement) throws(Realm.Error) {
            self.property = property
            self.statement = statement
            try advance()
        }

        func advance() throws(Realm.Error) { owner = try statement.step() ? statement.int(0) : nil }
    }

    /// Sums up the objects of a class.
    ///
    /// - Parameters:
    ///   - stored: The class.
    ///   - watch: Hears how many objects were read.
    /// - Returns: How many objects there are, and the sum over them.
    /// - Throws: A `Realm.Error` when the file cannot be read, when elements belong to no object, or when the import is to end.
    func sum(_ stored: StoredClass, _ watch: ImportWatch) throws(Realm.Error) -> (count: Int, digest: ValueDigest) {
        var columns = [StorageNames.key]
        var cursors: [Cursor] = []
        for property in stored.properties {
            if !property.isColumn {
                cursors.append(try cursor(stored, property))
            } else if property.name != stored.rowKey?.name {
                columns.append(StorageNames.quoted(property.name))
                if property.kind == .any { columns.append(StorageNames.quoted("\(property.name)$type")) }
            }
        }
        let single = stored.properties.filter { $0.isColumn && $0.name != stored.rowKey?.name }
        let rows = try connection.prepare(
            """
            SELECT \(columns.joined(separator: ", ")) FROM \(StorageNames.table(stored.name)) \
            ORDER BY \(StorageNames.key)
            """
        )
        var digest = ValueDigest()
        var count = 0
        while try rows.step() {
            let row = rows.int(0)
            var object = ObjectDigest()
            object.add(word: UInt64(bitPattern: row))
            var column: Int32 = 1
            for property in single {
                try add(rows, column, property, to: &object)
                column += property.kind == .any ? 2 : 1
            }
            for cursor in cursors { try add(cursor, of: row, to: &object) }
            digest.add(object)
            count += 1
            if count % 256 == 0 { try watch.didComplete(256) }
        }
        try watch.didComplete(count % 256)
        guard cursors.allSatisfy({ $0.owner == nil }) else {
            throw Realm.Error(.fail, "The class '\(stored.name)' came out with elements that belong to no object.")
        }
        return (count, digest)
    }

    private func cursor(_ stored: StoredClass, _ property: StoredProperty) throws(Realm.Error) -> Cursor {
        let label = property.collection == .dictionary ? StorageNames.entryKey : StorageNames.position
        let type = property.kind == .any ? ", \(StorageNames.valueType)" : ""
        let statement = try connection.prepare(
            """
            SELECT \(StorageNames.owner), \(label), \(StorageNames.value)\(type) \
            FROM \(StorageNames.quoted("\(stored.name).\(property.name)")) ORDER BY \(StorageNames.owner), \(label)
            """
        )
        return try Cursor(property, statement)
    }

    private func add(_ cursor: Cursor, of row: Int64, to object: inout ObjectDigest) throws(Realm.Error) {
        var members = ValueDigest()
        var count = 0
        while cursor.owner == row {
            let (statement, property) = (cursor.statement, cursor.property)
            if property.collection == .list {
                try add(statement, 2, property, to: &object)
            } else {
                var member = ObjectDigest()
                if property.collection == .dictionary { member.add(text: statement.bytes(1)) }
                try add(statement, 2, property, to: &member)
                members.add(member)
            }
            count += 1
            try cursor.advance()
        }
        object.add(members, count: count)
    }

    // MARK: Values

    private func add(
        _ row: Statement,
        _ column: Int32,
        _ property: StoredProperty,
        to object: inout ObjectDigest
    ) throws(Realm.Error) {
        if property.kind == .any {
            object.add(try value(AnyCell(column: column, of: row.handle)))
        } else if row.isNull(column) {
            object.add(.null)
        } else {
            switch property.kind {
            case .int: object.add(.int(row.int(column)))
            case .string: object.add(text: row.bytes(column))
            case .data: object.add(data: row.bytes(column))
            case .link, .embedded:
                object.add(.link(class: property.target.flatMap { classIndexes[$0] } ?? -1, key: row.int(column)))
            default: object.add(try value(.value(Value(column: column, of: row.handle, property.kind))))
            }
        }
    }

    private func value(_ cell: AnyCell) throws(Realm.Error) -> OriginalValue {
        switch cell {
        case .value(let value): return Self.original(value)
        case .link(let className, let key): return .link(class: classIndexes[className] ?? -1, key: key)
        case .list(let key):
            return .list(
                try cells(\.elements, StorageNames.nestedElements, StorageNames.position, of: key).map(\.value)
            )
        case .dictionary(let key):
            return .dictionary(try cells(\.entries, StorageNames.nestedEntries, StorageNames.entryKey, of: key))
        }
    }

    /// Reads what lies in a list or dictionary; elements of lists have no keys.
    private func cells(
        _ place: ReferenceWritableKeyPath<RereadRows, Statement?>,
        _ table: String,
        _ label: String,
        of owner: Int64
    ) throws(Realm.Error) -> [OriginalEntry] {
        let statement: Statement
        if let known = self[keyPath: place] {
            statement = known
        } else {
            statement = try connection.prepare(
                """
                SELECT \(label), \(StorageNames.value), \(StorageNames.valueType) FROM \(table) \
                WHERE \(StorageNames.owner) = ?1 ORDER BY \(label)
                """
            )
            self[keyPath: place] = statement
        }
        statement.bind(1, owner)
        var found: [(key: String, cell: AnyCell)] = []
        let isList = label == StorageNames.position
        while try statement.step() {
            found.append((isList ? "" : statement.text(0), AnyCell(column: 1, of: statement.handle)))
        }
        // The same statement reads what lies inside of these.
        var entries: [OriginalEntry] = []
        for (key, cell) in found { entries.append(OriginalEntry(key: key, value: try value(cell))) }
        return entries
    }

    private static func original(_ value: Value) -> OriginalValue {
        switch value {
        case .bool(let truth): .bool(truth)
        case .int(let number): .int(number)
        case .float(let number): .float(number)
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .data(let bytes): .data(bytes)
        case .date(let date): .instant(date.timeIntervalSinceReferenceDate)
        case .objectId(let id): .objectId(id)
        case .uuid(let id): .uuid(id)
        case .decimal128(let number): .decimal(number)
        case .null, .link, .list, .dictionary, .object: .null
        }
    }
}
