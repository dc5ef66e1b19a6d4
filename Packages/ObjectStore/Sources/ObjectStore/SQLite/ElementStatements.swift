/// What is done with the rows of a collection.
enum ElementOperation: Int, CaseIterable {
    case insert, update, delete, deleteRange, deleteAll, reposition, last, count, load, name, names, rename, member
}

/// The statements of one collection property, or of the collections inside values of any type, each prepared at its first use.
///
/// Their texts are long, and to put one together and look it up costs as much as to run it.
final class ElementStatements {
    private var prepared: [Statement?] = Array(repeating: nil, count: ElementOperation.allCases.count)

    subscript(operation: ElementOperation) -> Statement? {
        get { prepared[operation.rawValue] }
        set { prepared[operation.rawValue] = newValue }
    }
}
