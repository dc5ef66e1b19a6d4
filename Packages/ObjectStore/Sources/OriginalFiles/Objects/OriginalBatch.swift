/// At most 256 objects that lie together in a file.
///
/// Values are read when they are asked for, so that memory holds one at a time. Each value may be read once in a pass of the file.
///
/// ```swift
/// for row in 0..<batch.count { print(try batch.key(at: row)) }
/// ```
package struct OriginalBatch {
    private enum Column {
        case single(ColumnReader)
        /// The root of the collection of each object.
        case roots(Node)
    }

    private let properties: [OriginalProperty]
    private let cluster: ClusterIndex.Cluster
    private let columns: [Column]
    private let context: ValueContext

    /// How many objects there are.
    package var count: Int { cluster.count }
    /// How many objects of the class come before the first.
    package var first: Int { cluster.first }

    init(_ found: OriginalClass, _ index: Int, _ context: ValueContext) throws(OriginalFileError) {
        properties = found.properties
        cluster = found.clusters.clusters[index]
        self.context = context
        var columns: [Column] = []
        for property in properties {
            let ref = try cluster.node.someRef(1 + property.leaf)
            if property.collection == .none {
                let column = try ColumnReader(ref, property, .cluster, context.nodes)
                guard column.count == cluster.count else { throw .damaged("objects have other counts of values") }
                columns.append(.single(column))
            } else {
                let roots = try context.nodes.refs(ref, atMost: NodeReader.largestCluster)
                guard roots.size == cluster.count else { throw .damaged("objects have other counts of collections") }
                columns.append(.roots(roots))
            }
        }
        self.columns = columns
    }

    /// Reads the key of an object, which links say.
    package func key(at row: Int) throws(OriginalFileError) -> Int64 { try cluster.key(row) }

    /// Reads the value of a property that has one; the key of a link that leads nowhere is negative.
    @inline(__always)
    package func value(property: Int, at row: Int) throws(OriginalFileError) -> OriginalValue {
        guard case .single(let column) = columns[property] else { return .null }
        let value = try column.value(row, context)
        guard properties[property].fits(value) else { throw .damaged("a value is missing") }
        return value
    }

    /// Finds the elements of a list or set.
    package func elements(property: Int, at row: Int) throws(OriginalFileError) -> OriginalElements {
        guard let root = try root(property, row) else { return OriginalElements([]) }
        return OriginalElements(try context.leaves(root, properties[property]))
    }

    /// Finds the entries of a dictionary.
    package func entries(property: Int, at row: Int) throws(OriginalFileError) -> OriginalEntries {
        guard let root = try root(property, row) else {
            return OriginalEntries(keys: OriginalElements([]), values: OriginalElements([]))
        }
        return try context.entries(root)
    }

    private func root(_ property: Int, _ row: Int) throws(OriginalFileError) -> Int64? {
        guard case .roots(let node) = columns[property] else { return nil }
        return try node.ref(row)
    }

    /// Reads the next element; nil behind the last.
    package func next(_ elements: inout OriginalElements) throws(OriginalFileError) -> OriginalValue? {
        try elements.next(context)
    }

    /// Reads the next entry; nil behind the last.
    package func next(_ entries: inout OriginalEntries) throws(OriginalFileError) -> OriginalEntry? {
        try entries.next(context)
    }
}
