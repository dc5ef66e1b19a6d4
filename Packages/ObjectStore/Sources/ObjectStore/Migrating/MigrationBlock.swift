/// Converts the objects of a file with a lower schema version; see ``Migration``.
///
/// It runs on the thread that opens the realm, inside of the transaction of the migration: what it throws is thrown by
/// the opening, and the file stays as it was.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// An object before or after a migration.
public typealias MigrationObject = DynamicObject

/// What ``Migration/enumerateObjects(ofType:_:)`` calls for each object.
public typealias MigrationObjectEnumerateBlock = (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void
