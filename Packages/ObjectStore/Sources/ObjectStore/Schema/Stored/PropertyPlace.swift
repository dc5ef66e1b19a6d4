import EventModel
import ObjectQueries

/// Where a file keeps the values of one property: in a column of its class, or in a table of its own.
///
/// All names are quoted for SQL, save where it says so.
struct PropertyPlace: Sendable {
    /// The class that has the property.
    let className: String
    /// The stored name of the property.
    let name: String
    let kind: PropertyShape.Kind
    let collection: PropertyShape.Collection
    /// The class that links or embedded objects are of.
    let target: String?

    /// The table, not quoted.
    let tableName: String
    /// The table.
    let table: String
    /// The column with the row of the object that has the value.
    let owner: String
    /// The column with the value.
    let value: String
    /// The column with the type of a value that may have any.
    let type: String

    init(
        _ className: String,
        _ name: String,
        _ kind: PropertyShape.Kind,
        _ collection: PropertyShape.Collection,
        target: String?
    ) {
        self.className = className
        self.name = name
        self.kind = kind
        self.collection = collection
        self.target = target
        let isSingle = collection == .none
        tableName = isSingle ? className : "\(className).\(name)"
        table = StorageNames.quoted(tableName)
        owner = isSingle ? StorageNames.key : StorageNames.owner
        value = isSingle ? StorageNames.quoted(name) : StorageNames.value
        type = isSingle ? StorageNames.quoted("\(name)$type") : StorageNames.valueType
    }

    /// The place of a property of a class of the program.
    init(_ className: String, _ shape: PropertyShape) {
        self.init(className, shape.columnName, shape.kind, shape.collection, target: shape.targetClass)
    }

    /// The place of a property that a file describes.
    init(_ className: String, _ property: StoredProperty) {
        self.init(className, property.name, property.kind, property.collection, target: property.target)
    }

    /// Whether the values are rows of another class.
    var holdsRows: Bool { target != nil }

    // MARK: SQL

    /// Selects the rows that the values refer to, of the objects that fulfil a condition.
    func selectValues(where condition: String) -> String {
        "SELECT \(value) FROM \(table) WHERE \(condition) AND \(value) IS NOT NULL"
    }

    /// Selects the objects whose values fulfil a condition, each once.
    func selectOwners(where condition: String) -> String {
        "SELECT DISTINCT \(owner) FROM \(table) WHERE \(condition)"
    }

    /// Takes away the values that fulfil a condition.
    ///
    /// Single values and entries of maps become null, lists and sets lose theirs; a list of any values keeps the place.
    func removal(where condition: String) -> String {
        if kind == .any {
            return collection == .set
                ? "DELETE FROM \(table) WHERE \(condition)"
                : "UPDATE \(table) SET \(value) = NULL, \(type) = 0 WHERE \(condition)"
        }
        switch collection {
        case .none, .dictionary: return "UPDATE \(table) SET \(value) = NULL WHERE \(condition)"
        case .list, .set: return "DELETE FROM \(table) WHERE \(condition)"
        }
    }

    /// Whether a value of any type is the link that is the first argument.
    var isLink: String { "\(type) = \(AnyCell.linkTag) AND \(value) = ?1" }
}
