/// Finds nodes, and checks each before anybody looks into it.
///
/// In a whole file the nodes are a tree. Each is therefore followed once: that ends every circle, and bounds all work by the size of
/// the file. The marks that say so take a 64th of its size.
final class NodeReader {
    /// How many elements a leaf of a collection has at most, and how many children an inner node.
    static let largestLeaf = 1000
    /// How many objects a leaf of a class has at most, and how many children an inner node.
    static let largestCluster = 256
    /// How many levels of inner nodes a tree has at most.
    static let deepestTree = 16
    /// How many lists and dictionaries may lie inside each other, which is the original's own limit.
    static let deepestValue = 100

    /// The format of the file.
    let format: Int
    private let file: FileBytes
    /// Where the nodes end.
    private var limit: Int
    private var marks: [UInt64]
    /// The marks of what is read on purpose again in each pass: classes and where their objects lie.
    private var kept: [UInt64] = []

    init(_ file: FileBytes, format: Int, limit: Int) {
        self.file = file
        self.format = format
        self.limit = limit
        marks = Array(repeating: 0, count: file.buffer.count / 512 + 1)
    }

    /// Lets the file end earlier.
    func end(at size: Int64) throws(OriginalFileError) {
        guard size >= 24, size <= Int64(file.buffer.count) else { throw .cut }
        limit = min(limit, Int(size))
    }

    /// Lets every later pass begin with what is marked now.
    func keepMarks() { kept = marks }

    /// Begins to read the objects, again.
    func beginPass() { marks = kept }

    // MARK: Finding

    /// Follows a ref.
    func node(_ ref: Int64) throws(OriginalFileError) -> Node {
        let node = try look(ref)
        let place = Int(ref) / 8
        guard marks[place >> 6] & 1 << UInt64(place & 63) == 0 else { throw .damaged("two places share a node") }
        marks[place >> 6] |= 1 << UInt64(place & 63)
        return node
    }

    /// Follows a ref to a node that is read more than once on purpose.
    func look(_ ref: Int64) throws(OriginalFileError) -> Node {
        guard ref & 7 == 0, ref >= 24, ref <= Int64(limit) - 8, let base = file.buffer.baseAddress else {
            throw .damaged("a node lies outside of the file")
        }
        let at = base + Int(ref)
        let header = at.load(as: UInt64.self).littleEndian
        let size = Int(header >> 40 & 0xFF) << 16 | Int(header >> 48 & 0xFF) << 8 | Int(header >> 56)
        let node = Node(payload: at + 8, size: size, flags: UInt8(header >> 32 & 0xFF))
        guard node.kind < 3 else { throw .damaged("a node has an unknown kind") }
        guard node.byteCount <= limit - 8 - Int(ref) else { throw .damaged("a node reaches over the end of the file") }
        return node
    }

    /// Follows a ref to numbers.
    func numbers(_ ref: Int64, atMost most: Int) throws(OriginalFileError) -> Node {
        let node = try node(ref)
        try requireNumbers(node, atMost: most)
        return node
    }

    func requireNumbers(_ node: Node, atMost most: Int) throws(OriginalFileError) {
        guard node.kind == 0, !node.hasRefs, !node.isInner else { throw .damaged("a node should hold numbers") }
        guard node.size <= most else { throw .damaged("a node has too many numbers") }
    }

    /// Follows a ref to refs.
    func refs(_ ref: Int64, atMost most: Int) throws(OriginalFileError) -> Node {
        let node = try node(ref)
        try requireRefs(node, atMost: most, isInner: false)
        return node
    }

    func requireRefs(_ node: Node, atMost most: Int, isInner: Bool) throws(OriginalFileError) {
        guard node.kind == 0, node.hasRefs, node.isInner == isInner else {
            throw .damaged("a node should hold other nodes")
        }
        guard node.size <= most else { throw .damaged("a node holds too many others") }
    }

    /// Follows a ref to elements of some bytes each.
    func fixed(_ ref: Int64) throws(OriginalFileError) -> Node {
        let node = try node(ref)
        guard node.kind == 1, !node.hasRefs, !node.isInner else { throw .damaged("a node should hold values") }
        return node
    }

    /// Follows a ref to bytes.
    func blob(_ ref: Int64) throws(OriginalFileError) -> Node {
        let node = try node(ref)
        guard node.kind == 2, !node.hasRefs, !node.isInner else { throw .damaged("a node should hold bytes") }
        return node
    }
}
