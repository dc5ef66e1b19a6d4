import EventModel
import ObjectQueries

/// Gives objects that exist the default values of properties that are new or may not be null any more.
///
/// A default is what the Swift class says, made anew for each object: `= UUID().uuidString` differs. Where the class
/// says nothing, a column already has the zero of its type and no row is touched, save for ids and dates, whose default
/// is a new one.
struct PropertyDefaults {
    let connection: Connection
    let schema: ClassSchema

    /// Fills new columns.
    func fill(added properties: [PersistedProperty]) throws(Realm.Error) {
        let filled = properties.filter { $0.isColumn && hasDefault($0) }
        guard !filled.isEmpty else { return }
        let assignments = filled.enumerated().map { "\(column($1)) = ?\($0 + 2)" }.joined(separator: ", ")
        try forEachRow(where: "1", "UPDATE \(table) SET \(assignments) WHERE \(StorageNames.key) = ?1", filled)
    }

    /// Replaces the nulls of a property that was optional.
    func replaceNulls(of property: PersistedProperty) throws(Realm.Error) {
        guard property.isColumn else { return try replaceNullElements(of: property) }
        if hasDefault(property) {
            try forEachRow(
                where: "\(column(property)) IS NULL",
                "UPDATE \(table) SET \(column(property)) = ?2 WHERE \(StorageNames.key) = ?1",
                [property]
            )
        } else {
            let zero = StoredSchema.zero(property.type.kind)
            try connection.execute(
                "UPDATE \(table) SET \(column(property)) = \(zero) WHERE \(column(property)) IS NULL"
            )
        }
    }

    private func replaceNullElements(of property: PersistedProperty) throws(Realm.Error) {
        let elements = StorageNames.table(schema.name, schema.shape.properties[property.slot])
        let zero = StoredSchema.zero(property.type.kind)
        // A set may have the zero already.
        try connection.execute(
            """
            UPDATE OR IGNORE \(elements) SET \(StorageNames.value) = \(zero) WHERE \(StorageNames.value) IS NULL;
            DELETE FROM \(elements) WHERE \(StorageNames.value) IS NULL
            """
        )
    }

    private var table: String { StorageNames.table(schema.name) }

    private func column(_ property: PersistedProperty) -> String { StorageNames.quoted(property.columnName) }

    /// Whether the default is anything but the zero of the type, or null.
    private func hasDefault(_ property: PersistedProperty) -> Bool {
        guard case .scalar = property.operations.role else { return false }
        switch property.type.kind {
        case .date, .objectId, .uuid: if !property.type.isOptional { return true }
        default: break
        }
        let sample = schema.type.init()
        return withExtendedLifetime(sample) { property.hasInitialValue(UnsafeRawPointer(property.field(in: sample))) }
    }

    /// Runs an update for each row, in batches: its first argument is the key, the others are defaults.
    private func forEachRow(
        where condition: String,
        _ sql: String,
        _ properties: [PersistedProperty]
    ) throws(Realm.Error) {
        let operations = properties.compactMap { property -> (PersistedProperty, ScalarOperations)? in
            guard case .scalar(let operations) = property.operations.role else { return nil }
            return (property, operations)
        }
        let select = try connection.prepare(
            """
            SELECT \(StorageNames.key) FROM \(table) WHERE \(StorageNames.key) >= ?1 AND \(condition) \
            ORDER BY \(StorageNames.key) LIMIT 1024
            """
        )
        let update = try connection.prepare(sql)
        var first = Int64.min
        while true {
            select.bind(1, first)
            var keys: [Int64] = []
            while try select.step() { keys.append(select.int(0)) }
            guard let end = keys.last else { return }
            for key in keys {
                let object = schema.type.init()
                update.bind(1, key)
                for (index, (property, operations)) in operations.enumerated() {
                    operations.bindStored(property.field(in: object), update.handle, Int32(index + 2))
                }
                try update.run()
            }
            guard end < .max else { return }
            first = end + 1
        }
    }
}
