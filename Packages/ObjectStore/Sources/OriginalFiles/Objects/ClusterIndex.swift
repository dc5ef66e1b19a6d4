/// Where the objects of a class lie, and by which keys others know them.
///
/// It takes some fifty bytes for each 256 objects, so that links are followed without a table of all keys.
struct ClusterIndex {
    /// Objects that lie together.
    struct Cluster {
        /// The arrays of their values; the first element says their keys.
        let node: Node
        /// The keys less the offset, ascending; nil when they are the numbers from 0 on.
        let keys: Node?
        /// What the keys are counted from.
        let offset: UInt64
        let count: Int
        /// How many objects come before.
        let first: Int
        let firstKey: Int64

        /// The key of an object.
        func key(_ index: Int) throws(OriginalFileError) -> Int64 {
            let key = try keys?.unsigned(index) ?? UInt64(index)
            return Int64(bitPattern: key &+ offset)
        }

        /// Finds an object by its key.
        func find(_ key: Int64) throws(OriginalFileError) -> Int? {
            guard let keys else {
                let index = UInt64(bitPattern: key) &- offset
                return index < UInt64(count) ? Int(index) : nil
            }
            var (low, high) = (0, keys.size)
            while low < high {
                let middle = (low + high) / 2
                if try self.key(middle) < key { low = middle + 1 } else { high = middle }
            }
            guard low < count, try self.key(low) == key else { return nil }
            return low
        }
    }

    private(set) var clusters: [Cluster] = []
    /// How many objects there are.
    private(set) var count = 0
    private var lastKey: Int64?

    /// Goes through the tree of a ref.
    init(_ root: Int64, _ nodes: NodeReader) throws(OriginalFileError) {
        _ = try collect(root, nodes, offset: 0, depth: nil)
    }

    private mutating func collect(
        _ ref: Int64,
        _ nodes: NodeReader,
        offset: UInt64,
        depth: Int64?
    ) throws(OriginalFileError) {
        let node = try nodes.node(ref)
        guard node.isInner else {
            guard depth == nil || depth == 0 else { throw .damaged("the objects of a class lie at different depths") }
            try nodes.requireRefs(node, atMost: 1 << 16, isInner: false)
            try add(node, nodes, offset)
            return
        }
        try nodes.requireRefs(node, atMost: NodeReader.largestCluster + 3, isInner: true)
        guard node.size >= 4 else { throw .damaged("an inner node of a class has no children") }
        let level = try node.tagged(1)
        guard (1...7).contains(level), depth == nil || depth == level else {
            throw .damaged("the objects of a class lie at different depths")
        }
        let childCount = node.size - 3
        let offsets = try node.ref(0)
            .map { ref throws(OriginalFileError) in try nodes.numbers(ref, atMost: NodeReader.largestCluster) }
        guard offsets.map({ $0.size == childCount }) ?? true else { throw .damaged("children of a class lack offsets") }
        let before = count
        for child in 0..<childCount {
            let own = try offsets?.unsigned(child) ?? UInt64(child) << UInt64(8 * level)
            try collect(node.someRef(3 + child), nodes, offset: offset &+ own, depth: level - 1)
        }
        guard try node.tagged(2) == Int64(count - before) else {
            throw .damaged("a class has another count of objects than it says")
        }
    }

    private mutating func add(_ node: Node, _ nodes: NodeReader, _ offset: UInt64) throws(OriginalFileError) {
        guard node.size >= 1 else { throw .damaged("objects have no keys") }
        var keys: Node?
        let found: Int
        if try node.int(0) & 1 == 1 {
            let tagged = try node.tagged(0)
            guard (0...Int64(NodeReader.largestCluster)).contains(tagged) else {
                throw .damaged("too many objects lie together")
            }
            found = Int(tagged)
        } else {
            let array = try nodes.numbers(node.someRef(0), atMost: NodeReader.largestCluster)
            (keys, found) = (array, array.size)
        }
        guard found > 0 else { return }
        let cluster = Cluster(
            node: node,
            keys: keys,
            offset: offset,
            count: found,
            first: count,
            firstKey: Int64(bitPattern: (try keys?.unsigned(0) ?? 0) &+ offset)
        )
        for index in 0..<found {
            let key = try cluster.key(index)
            guard lastKey.map({ $0 < key }) ?? true else { throw .damaged("the keys of objects do not ascend") }
            lastKey = key
        }
        clusters.append(cluster)
        count += found
    }

    /// Finds an object by its key: the index of its cluster, and its index in there.
    func find(_ key: Int64) throws(OriginalFileError) -> (cluster: Int, index: Int)? {
        var (low, high) = (0, clusters.count)
        while low < high {
            let middle = (low + high) / 2
            if clusters[middle].firstKey <= key { low = middle + 1 } else { high = middle }
        }
        guard low > 0, let index = try clusters[low - 1].find(key) else { return nil }
        return (low - 1, index)
    }
}
