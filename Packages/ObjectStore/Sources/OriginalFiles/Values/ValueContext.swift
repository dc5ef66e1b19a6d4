/// What it takes to read a value: the nodes, and which class a table of the file is.
struct ValueContext {
    let nodes: NodeReader
    /// The indexes of classes, by the keys of their tables.
    let classes: [Int64: Int]

    func classIndex(_ table: Int64) throws(OriginalFileError) -> Int {
        guard let index = classes[table] else { throw .damaged("a link leads to a class that is not there") }
        return index
    }

    // MARK: Trees

    /// Finds the leaves of the tree of a list or set.
    func leaves(
        _ root: Int64,
        _ property: OriginalProperty,
        depth: Int = 0
    ) throws(OriginalFileError) -> [ColumnReader] {
        var leaves: [ColumnReader] = []
        _ = try collect(root, property, depth: depth, level: 0, &leaves)
        return leaves
    }

    /// Finds the leaves below a node.
    ///
    /// - Returns: How many levels of inner nodes lie between.
    private func collect(
        _ ref: Int64,
        _ property: OriginalProperty,
        depth: Int,
        level: Int,
        _ leaves: inout [ColumnReader]
    ) throws(OriginalFileError) -> Int {
        guard level <= NodeReader.deepestTree else { throw .damaged("a tree is too deep") }
        guard try nodes.look(ref).isInner else {
            leaves.append(try ColumnReader(ref, property, .tree, nodes, depth: depth))
            return 0
        }
        let node = try nodes.node(ref)
        try nodes.requireRefs(node, atMost: NodeReader.largestLeaf + 2, isInner: true)
        guard node.size >= 3 else { throw .damaged("a tree has no leaves") }
        let first = leaves.count
        var height: Int?
        for child in 1..<(node.size - 1) {
            let found = try collect(node.someRef(child), property, depth: depth, level: level + 1, &leaves)
            guard height == nil || height == found else {
                throw .damaged("the leaves of a tree lie at different depths")
            }
            height = found
        }
        let total = leaves[first...].reduce(0) { $0 + $1.count }
        guard try node.tagged(node.size - 1) == Int64(total) else {
            throw .damaged("a tree has another count of elements than it says")
        }
        return (height ?? 0) + 1
    }

    /// Finds the entries of a dictionary.
    func entries(_ root: Int64, depth: Int = 0) throws(OriginalFileError) -> OriginalEntries {
        let (keys, values) = try nodes.format < 23 ? columns(root, depth: depth) : trees(root, depth: depth)
        let entries = OriginalEntries(keys: OriginalElements(keys), values: OriginalElements(values))
        guard entries.keys.count == entries.values.count else {
            throw .damaged("a dictionary has another count of keys than of values")
        }
        return entries
    }

    private func trees(_ root: Int64, depth: Int) throws(OriginalFileError) -> ([ColumnReader], [ColumnReader]) {
        let node = try nodes.refs(root, atMost: 2)
        guard node.size == 2 else { throw .damaged("a dictionary lacks a part") }
        return (
            try leaves(node.someRef(0), .key, depth: depth), try leaves(node.someRef(1), .anything, depth: depth)
        )
    }

    /// The same of the formats before 23, in which a dictionary is stored like the objects of a class.
    private func columns(_ root: Int64, depth: Int) throws(OriginalFileError) -> ([ColumnReader], [ColumnReader]) {
        let index = try ClusterIndex(root, nodes)
        var keys: [ColumnReader] = []
        var values: [ColumnReader] = []
        for cluster in index.clusters {
            guard cluster.node.size >= 3 else { throw .damaged("a dictionary lacks a part") }
            let key = try ColumnReader(cluster.node.someRef(1), .key, .cluster, nodes)
            let value = try ColumnReader(cluster.node.someRef(2), .anything, .cluster, nodes, depth: depth)
            guard key.count == cluster.count, value.count == cluster.count else {
                throw .damaged("a dictionary has another count of entries than it says")
            }
            keys.append(key)
            values.append(value)
        }
        return (keys, values)
    }
}
