import EventModel
import Foundation
import ObjectQueries
import OriginalFiles

/// Brings the objects of one class into the new file.
struct ImportedRows {
    private let found: OriginalClass
    private let index: Int
    private let stored: StoredClass
    private let links: ImportedLinks
    private let cells: ImportedCells
    private let connection: Connection
    private let fileURL: URL
    private let insert: Statement
    /// Inserts an element, by the property; nil for properties with one value.
    private let insertElement: [Statement?]
    /// Where the values are bound, by the property.
    private let parameters: [Int32]
    /// The primary key that is the row key.
    private let rowKey: Int?

    /// The sum over the objects that were written.
    private(set) var digest = ValueDigest()
    /// How many objects were written.
    private(set) var count = 0
    /// How many were not: embedded ones that nobody holds.
    private(set) var leftOutCount = 0
    /// How many elements of sets were equal to another one.
    private(set) var mergedCount = 0

    init(
        _ found: OriginalClass,
        at index: Int,
        _ stored: StoredClass,
        _ links: ImportedLinks,
        _ cells: ImportedCells,
        _ connection: Connection,
        _ fileURL: URL
    ) throws(Realm.Error) {
        self.found = found
        self.index = index
        self.stored = stored
        self.links = links
        self.cells = cells
        self.connection = connection
        self.fileURL = fileURL
        rowKey = found.hasIntKey ? found.primaryKey : nil
        var columns = [StorageNames.key]
        var parameters: [Int32] = []
        var statements: [Statement?] = []
        for (slot, property) in stored.properties.enumerated() {
            parameters.append(Int32(columns.count + 1))
            let isAny = property.kind == .any
            if !property.isColumn {
                let table = StorageNames.quoted("\(stored.name).\(property.name)")
                // Two dates that are different there may be equal here.
                let verb = property.collection == .set ? "INSERT OR IGNORE" : "INSERT"
                statements.append(
                    try connection.prepare("\(verb) INTO \(table) VALUES (?1, ?2, ?3\(isAny ? ", ?4" : ""))")
                )
                continue
            }
            statements.append(nil)
            if slot == rowKey { continue }
            columns.append(StorageNames.quoted(property.name))
            if isAny { columns.append(StorageNames.quoted("\(property.name)$type")) }
        }
        self.parameters = parameters
        insertElement = statements
        let places = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
        insert = try connection.prepare(
            "INSERT INTO \(StorageNames.table(stored.name)) (\(columns.joined(separator: ", "))) VALUES (\(places))"
        )
    }

    /// Reads what the old file says, and tells errors with the class.
    @inline(__always)
    private func read<Result>(
        _ body: () throws(OriginalFileError) -> Result
    ) throws(Realm.Error) -> Result {
        do throws(OriginalFileError) {
            return try body()
        } catch {
            throw Realm.Error(error.inside(found.name), fileURL)
        }
    }

    /// Writes the objects of a batch.
    mutating func write(_ batch: OriginalBatch) throws(Realm.Error) {
        for row in 0..<batch.count {
            guard links.isWanted(batch.first + row, of: index) else {
                leftOutCount += 1
                continue
            }
            try write(batch, row)
            count += 1
        }
    }

    private mutating func write(_ batch: OriginalBatch, _ index: Int) throws(Realm.Error) {
        var row = Int64(batch.first + index) + 1
        if let rowKey {
            guard
                case .int(let key) = try read({ () throws(OriginalFileError) in
                    try batch.value(property: rowKey, at: index)
                })
            else { return }
            row = key
        }
        var object = ObjectDigest()
        object.add(word: UInt64(bitPattern: row))
        insert.bind(1, row)
        for slot in stored.properties.indices where insertElement[slot] == nil && slot != rowKey {
            let value = try read { () throws(OriginalFileError) in
                try links.resolved(batch.value(property: slot, at: index))
            }
            object.add(value)
            if stored.properties[slot].kind == .any {
                try cells.bindAny(value, insert, parameters[slot], owner(slot, row))
            } else {
                cells.bind(value, insert, parameters[slot])
            }
        }
        do throws(Realm.Error) {
            try insert.run()
        } catch  where error.isUniqueViolation {
            throw Realm.Error(.damaged(what: "two objects have the same primary key", className: found.name), fileURL)
        }
        for slot in stored.properties.indices where insertElement[slot] != nil {
            try writeElements(batch, index, slot, row, &object)
        }
        digest.add(object)
    }

    private func owner(_ slot: Int, _ row: Int64) -> ImportedCells.Owner {
        ImportedCells.Owner(className: stored.name, property: stored.properties[slot].name, row: row)
    }

    // MARK: Collections

    private mutating func writeElements(
        _ batch: OriginalBatch,
        _ index: Int,
        _ slot: Int,
        _ row: Int64,
        _ object: inout ObjectDigest
    ) throws(Realm.Error) {
        guard let statement = insertElement[slot] else { return }
        if stored.properties[slot].collection == .dictionary {
            try writeEntries(batch, index, slot, row, statement, &object)
            return
        }
        let isSet = stored.properties[slot].collection == .set
        let isLink = found.properties[slot].type == .link
        var elements = try read { () throws(OriginalFileError) in try batch.elements(property: slot, at: index) }
        var members = ValueDigest()
        var position: Int64 = 0
        var count = 0
        while let element = try read({ () throws(OriginalFileError) in try batch.next(&elements) }) {
            let value = try resolved(element, slot)
            // A link that leads nowhere is no element; a value of any type in a list keeps its place.
            if case .null = value, case .link = element, isLink || isSet { continue }
            statement.bind(1, row)
            statement.bind(2, position)
            try bind(value, statement, slot, row)
            try statement.run()
            if isSet, connection.changes == 0 {
                mergedCount += 1
                continue
            }
            position += OrderKeys.spacing
            count += 1
            if isSet { members.add(ObjectDigest(value)) } else { object.add(value) }
        }
        object.add(members, count: count)
    }

    private mutating func writeEntries(
        _ batch: OriginalBatch,
        _ index: Int,
        _ slot: Int,
        _ row: Int64,
        _ statement: Statement,
        _ object: inout ObjectDigest
    ) throws(Realm.Error) {
        var entries = try read { () throws(OriginalFileError) in try batch.entries(property: slot, at: index) }
        var members = ValueDigest()
        var count = 0
        while let entry = try read({ () throws(OriginalFileError) in try batch.next(&entries) }) {
            let value = try resolved(entry.value, slot)
            statement.bind(1, row)
            statement.bind(2, entry.key)
            try bind(value, statement, slot, row)
            try statement.run()
            members.add(ObjectDigest(OriginalEntry(key: entry.key, value: value)))
            count += 1
        }
        object.add(members, count: count)
    }

    /// Checks that a collection may have an element, and follows the links in it.
    private func resolved(_ element: OriginalValue, _ slot: Int) throws(Realm.Error) -> OriginalValue {
        try read { () throws(OriginalFileError) in
            guard found.properties[slot].fits(element) else {
                throw .damaged(what: "a collection has an element of another type", className: found.name)
            }
            return try links.resolved(element)
        }
    }

    private func bind(
        _ value: OriginalValue,
        _ statement: Statement,
        _ slot: Int,
        _ row: Int64
    ) throws(Realm.Error) {
        if stored.properties[slot].kind == .any {
            try cells.bindAny(value, statement, 3, owner(slot, row))
        } else {
            cells.bind(value, statement, 3)
        }
    }
}
