import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

/// One value of a type in every kind of property.
final class MatrixCell<V: _ScalarValue>: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var required: V
    @Persisted var optional: V?
    @Persisted var list: List<V>
    @Persisted var set: MutableSet<V>
    @Persisted var map: Map<String, V>
}

/// A list of cells.
final class MatrixShelf<V: _ScalarValue>: Object {
    @Persisted var cells: List<MatrixCell<V>>
}

/// What a test knows of a cell, to find out in plain Swift what a query has to find.
struct MatrixRow<V> {
    let id: Int
    let required: V
    let optional: V?
    let elements: [V]
}

/// A type of property with what its values can do; the closures say it independently of the database.
struct MatrixColumn<V: _ScalarValue> {
    let name: String
    let values: [V]
    /// Whether two values are equal.
    var isEqual: (V, V) -> Bool = { $0 == $1 }
    /// Whether a value is smaller than another one; nil when the type has no order.
    var isLess: ((V, V) -> Bool)?
    /// The size of a number; nil for other types.
    var number: ((V) -> Double)?
    /// A value that no value of this type can be compared with.
    let other: Any

    /// Cells with each value, with and without an optional one, and with collections from empty to full.
    var rows: [MatrixRow<V>] {
        values.indices.map { index in
            MatrixRow(
                id: index,
                required: values[index],
                optional: index.isMultiple(of: 2) ? nil : values[values.count - 1 - index],
                elements: Array(values.prefix(index))
            )
        }
    }
}

/// A condition in both front ends and in plain Swift.
struct MatrixCondition<V: _ScalarValue> {
    let format: String
    let arguments: [Any]
    let typed: ((Query<MatrixCell<V>>) -> Query<Bool>)?
    let isFulfilled: (MatrixRow<V>) -> Bool

    init(
        _ format: String,
        _ arguments: Any...,
        isFulfilled: @escaping (MatrixRow<V>) -> Bool,
        typed: ((Query<MatrixCell<V>>) -> Query<Bool>)? = nil
    ) {
        self.format = format
        self.arguments = arguments
        self.typed = typed
        self.isFulfilled = isFulfilled
    }
}

/// A realm with the cells of one column, in which conditions are checked.
struct QueryMatrix<V: _ScalarValue> {
    let column: MatrixColumn<V>
    private let file: TemporaryRealm
    private let cells: Results<MatrixCell<V>>
    private let shelf: List<MatrixCell<V>>
    /// The same cells, which no realm manages.
    private let unmanaged = List<MatrixCell<V>>()

    init(_ column: MatrixColumn<V>) throws {
        self.column = column
        file = try TemporaryRealm()
        let realm = try file.open { $0.objectTypes = [MatrixCell<V>.self, MatrixShelf<V>.self] }
        unmanaged.append(objectsIn: column.rows.map(Self.cell))
        shelf = try realm.write { realm in
            let shelf = realm.create(MatrixShelf<V>.self)
            realm.add(column.rows.map(Self.cell))
            // The list has its own order, and not all cells.
            for cell in realm.objects(MatrixCell<V>.self).reversed() where cell.id != 1 { shelf.cells.append(cell) }
            return shelf.cells
        }
        cells = realm.objects(MatrixCell<V>.self)
    }

    private static func cell(_ row: MatrixRow<V>) -> MatrixCell<V> {
        let cell = MatrixCell<V>()
        cell.id = row.id
        cell.required = row.required
        cell.optional = row.optional
        cell.list.append(objectsIn: row.elements)
        cell.set.insert(objectsIn: row.elements)
        for (index, element) in row.elements.enumerated() { cell.map["key\(index)"] = element }
        return cell
    }

    /// Expects that both front ends make the same query, and that it finds what plain Swift finds, in class and list,
    /// and in a list that no realm manages.
    func check(_ conditions: [MatrixCondition<V>]) throws {
        for (index, condition) in conditions.enumerated() {
            let expected = column.rows.filter(condition.isFulfilled).map(\.id)
            let place = "\(column.name): \(condition.format) \(condition.arguments)"
            let parsed = try cells.filter(parsing: condition.format, condition.arguments)
            #expect(parsed.map(\.id) == expected, "\(place)")
            let remembered = try unmanaged.filter("TRUEPREDICATE")
                .filter(parsing: condition.format, condition.arguments)
            #expect(remembered.map(\.id) == expected, "unmanaged \(place)")
            if let typed = condition.typed {
                // A condition with NaN does not even equal itself.
                let same = cells.where(typed)
                if same != parsed || place.contains("nan") { #expect(same.map(\.id) == expected, "\(place)") }
            }
            // Every condition on a list as well would take too long; these are of every kind.
            guard index.isMultiple(of: 3) else { continue }
            let listed = try shelf.filter("TRUEPREDICATE").filter(parsing: condition.format, condition.arguments)
            #expect(listed.map(\.id) == expected.reversed().filter { $0 != 1 }, "\(place)")
            #expect(
                try cells.filter(parsing: condition.format, condition.arguments).count == expected.count,
                "\(place)"
            )
        }
    }

    /// Expects that text is refused with a sentence that names the class.
    func checkRefused(_ format: String, _ arguments: Any...) {
        for cells in [cells, unmanaged.filter("TRUEPREDICATE")] {
            do {
                _ = try cells.filter(parsing: format, arguments)
                Issue.record("\(column.name): '\(format)' is not refused.")
            } catch {
                let sentence = "\(error)"
                #expect(sentence.contains(MatrixCell<V>.className()) || sentence.contains("Argument"), "\(sentence)")
            }
        }
    }
}

extension [UInt8] {
    /// Whether the bytes stand somewhere in these.
    func includes(_ part: [UInt8]) -> Bool {
        guard count >= part.count else { return false }
        return indices.contains { self[$0...].starts(with: part) } || part.isEmpty
    }
}
