import EventModel
import ObjectQueries

/// The contents of a realm before and after a migration, as a ``MigrationBlock`` sees them.
///
/// Before the block runs the new side has all objects already: properties that both schemas have keep their values, new
/// ones have the default values of the Swift class, those of another type as well. The block fills in what only the
/// program knows:
/// ```swift
/// configuration.migrationBlock = { migration, oldSchemaVersion in
///     if oldSchemaVersion < 2 {
///         migration.enumerateObjects(ofType: Person.className()) { old, new in
///             new?["name"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
///         }
///     }
/// }
/// ```
/// The old side is read-only and uses the names under which properties were stored. Everything happens in one
/// transaction: an error in the block, a crash or a loss of power leave the file as it was.
///
/// A data error, such as a value of the wrong type, does not end the block; the opening throws the first one afterwards.
/// Migrations are not recorded by observers of the file.
public final class Migration {
    /// The classes of the file as they were.
    public let oldSchema: Schema
    /// The classes of the program.
    public let newSchema: Schema

    private let old: RealmCore
    private let new: RealmCore
    private let rename: PropertyRenaming
    /// The stored names of classes whose data was deleted.
    private(set) var deletedTypes: Set<String> = []

    init(old: RealmCore, new: RealmCore, rename: PropertyRenaming) {
        self.old = old
        self.new = new
        self.rename = rename
        oldSchema = Schema(old.schema)
        newSchema = Schema(new.schema)
    }

    /// Calls a block for each object of a class, with the object before and after the migration.
    ///
    /// Of a class that the program does not have any more the new object is nil, of one that the file did not have the
    /// old one; objects that the block created or deleted are left out otherwise. Nothing happens for a class that
    /// neither has, or whose data the block deleted.
    ///
    /// - Throws: What the block throws, at the first such object.
    /// - Complexity: O(*n*) in the count of objects; they are read in batches, so that memory stays flat.
    public func enumerateObjects(
        ofType typeName: String,
        _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
    ) rethrows {
        guard !deletedTypes.contains(typeName) else { return }
        let after = new.store.table(named: typeName)
        guard let before = old.store.table(named: typeName) else {
            guard let after else { return }
            return try forEachRow(of: after, new) { try block(nil, new.object(DynamicObject.self, after, $0)) }
        }
        try forEachRow(of: before, old) { row in
            let oldObject = old.object(DynamicObject.self, before, row)
            guard let after else { return try block(oldObject, nil) }
            let current = new.reading { () throws(Realm.Error) in try after.row(row.key) }
            guard let current else { return }
            try block(oldObject, new.object(DynamicObject.self, after, current))
        }
    }

    /// Creates an object of a class of the new schema; see ``Realm/create(_:value:update:)``.
    @discardableResult
    public func create(_ typeName: String, value: Any = [:]) -> MigrationObject {
        guard new.store.table(named: typeName) != nil else {
            new.transaction.doom(Self.unknownClass(typeName))
            return DynamicObject()
        }
        return Realm(core: new).dynamicCreate(typeName, value: value)
    }

    /// Deletes an object of the new side.
    public func delete(_ object: MigrationObject) {
        Realm(core: new).delete(object)
    }

    /// Deletes all objects of a class; of one that the program does not have any more, its description as well.
    ///
    /// - Returns: Whether the file knew the class.
    @discardableResult
    public func deleteData(forType typeName: String) -> Bool {
        guard old.store.table(named: typeName) != nil, deletedTypes.insert(typeName).inserted else { return false }
        guard let table = new.store.table(named: typeName) else { return true }
        new.transaction.mutating { () throws(Realm.Error) in try ObjectDeletion(new).deleteAll(of: table) }
        return true
    }

    /// Lets a new property have the values of an old one of another name.
    ///
    /// Both must have the same type, where an optional property may take the values of a required one but not the other
    /// way round, and the program must not have a property of the old name any more; anything else makes the opening
    /// throw.
    ///
    /// - Parameters:
    ///   - typeName: The class, which the file and the program must have.
    ///   - oldName: The name under which the property was stored.
    ///   - newName: The name of the property in the Swift class.
    /// - Complexity: O(*n*) in the count of objects, without reading them into memory.
    public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
        new.transaction.mutating { () throws(Realm.Error) in
            guard let table = new.store.table(named: typeName) else { throw Self.unknownClass(typeName) }
            if let slot = table.rowKeySlot, table.schema.property(named: newName)?.slot ?? slot == slot {
                try new.unlockKeys(of: table)
            }
            try rename.rename(table, from: oldName, to: newName)
            new.store.invalidateRows(of: table)
        }
    }

    private static func unknownClass(_ typeName: String) -> Realm.Error {
        Realm.Error(.invalidInput, "The migration names a class '\(typeName)' that the program does not have.")
    }

    /// Reads the rows of a class in batches, each whole before the block sees any: the block may change the table.
    private func forEachRow(of table: ClassTable, _ core: RealmCore, _ body: (ObjectSnapshot) throws -> Void) rethrows {
        var first = Int64.min
        while true {
            let rows = core.reading { () throws(Realm.Error) in
                // The block may have given the primary key a column meanwhile.
                let statement = try table.statement(
                    """
                    SELECT \(table.columnList(of: "o")) FROM \(StorageNames.table(table.schema.name)) o \
                    WHERE o.\(StorageNames.key) >= ?1 ORDER BY o.\(StorageNames.key) LIMIT 256
                    """
                )
                statement.bind(1, first)
                return try table.readRows(statement)
            }
            guard let end = rows.last?.key else { return }
            for row in rows { try body(row) }
            guard end < .max else { return }
            first = end + 1
        }
    }
}
