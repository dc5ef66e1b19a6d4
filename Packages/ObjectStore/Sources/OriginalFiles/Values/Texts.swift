/// Texts or bytes as one array of the file has them, each read when it is asked for.
struct Texts {
    /// How the array holds them.
    private enum Form {
        /// Blocks of one width, whose last byte says how much of it is not used.
        case short(Node)
        /// Positions in a list of values.
        case enumerated(Node, TextPool)
        /// The bytes of all behind each other, where each ends, and which are null.
        case medium(ends: Node, bytes: UnsafeRawBufferPointer, nulls: Node)
        /// A node for each.
        case big(Node)
    }

    let count: Int
    private let form: Form
    /// Whether each has a zero behind it that is no part of it.
    private let hasZero: Bool

    /// Reads the array of a ref.
    init(
        texts ref: Int64,
        _ nodes: NodeReader,
        atMost most: Int,
        _ pool: TextPool? = nil
    ) throws(OriginalFileError) {
        let node = try nodes.node(ref)
        guard !node.isInner else { throw .damaged("a tree stands where texts should be") }
        guard !node.hasRefs else {
            self = try Texts(node, nodes, atMost: most, hasZero: true)
            return
        }
        hasZero = false
        count = node.size
        guard count <= most else { throw .damaged("a node has too many texts") }
        if node.kind == 1 {
            form = .short(node)
        } else {
            guard node.kind == 0, let pool else { throw .damaged("a node should hold texts") }
            form = .enumerated(node, pool)
        }
    }

    /// Reads the array of bytes of a ref.
    init(data ref: Int64, _ nodes: NodeReader, atMost most: Int) throws(OriginalFileError) {
        self = try Texts(try nodes.node(ref), nodes, atMost: most, hasZero: false)
    }

    private init(_ node: Node, _ nodes: NodeReader, atMost most: Int, hasZero: Bool) throws(OriginalFileError) {
        try nodes.requireRefs(node, atMost: most, isInner: false)
        self.hasZero = hasZero
        if node.hasContext {
            form = .big(node)
            count = node.size
            return
        }
        guard node.size == 3 else { throw .damaged("texts of medium length need three nodes") }
        let ends = try nodes.numbers(node.someRef(0), atMost: most)
        let nulls = try nodes.numbers(node.someRef(2), atMost: most)
        guard ends.size == nulls.size else { throw .damaged("texts have other counts of ends than of nulls") }
        form = .medium(ends: ends, bytes: try nodes.blob(node.someRef(1)).bytes, nulls: nulls)
        count = ends.size
    }

    /// The bytes of one text, mostly where they lie.
    private enum Piece {
        case here(UnsafeRawBufferPointer)
        case joined([UInt8])
    }

    /// Reads a text; nil for null.
    func string(_ index: Int, _ nodes: NodeReader) throws(OriginalFileError) -> String? {
        let text: String?
        switch try piece(index, nodes) {
        case nil: return nil
        case .here(let bytes): text = String(validating: bytes.bindMemory(to: UInt8.self), as: UTF8.self)
        case .joined(let bytes): text = String(validating: bytes, as: UTF8.self)
        }
        guard let text else { throw .damaged("a text is no UTF-8") }
        return text
    }

    /// Reads bytes; nil for null.
    func data(_ index: Int, _ nodes: NodeReader) throws(OriginalFileError) -> [UInt8]? {
        switch try piece(index, nodes) {
        case nil: nil
        case .here(let bytes): Array(bytes)
        case .joined(let bytes): bytes
        }
    }

    private func piece(_ index: Int, _ nodes: NodeReader) throws(OriginalFileError) -> Piece? {
        guard index >= 0, index < count else { throw .damaged("a text is named that is not there") }
        switch form {
        case .short(let node):
            guard node.width > 0 else { return nil }
            let start = index * node.width
            let unused = Int(node.payload.load(fromByteOffset: start + node.width - 1, as: UInt8.self))
            guard unused <= node.width else { throw .damaged("a short text is longer than its place") }
            return unused == node.width ? nil : .here(slice(node.bytes, start, start + node.width - 1 - unused))
        case .enumerated(let node, let pool):
            guard let position = Int(exactly: try node.int(index)) else { return nil }
            return try pool.texts.piece(position, nodes)
        case .medium(let ends, let bytes, let nulls):
            let start = index == 0 ? 0 : try ends.int(index - 1)
            let end = try ends.int(index)
            guard start >= 0, start <= end, end <= Int64(bytes.count) else {
                throw .damaged("the ends of texts do not ascend")
            }
            guard try nulls.int(index) == 0 else { return nil }
            return .here(try withoutZero(slice(bytes, Int(start), Int(end))))
        case .big(let node):
            guard let ref = try node.ref(index) else { return nil }
            return try blob(ref, nodes)
        }
    }

    /// Reads a node of bytes, or one that names those to be joined.
    private func blob(_ ref: Int64, _ nodes: NodeReader) throws(OriginalFileError) -> Piece {
        let node = try nodes.node(ref)
        guard node.hasContext else {
            guard node.kind == 2, !node.hasRefs, !node.isInner else { throw .damaged("a node should hold bytes") }
            return .here(try withoutZero(node.bytes))
        }
        try nodes.requireRefs(node, atMost: 1 << 16, isInner: false)
        var joined: [UInt8] = []
        for part in 0..<node.size { joined.append(contentsOf: try nodes.blob(node.someRef(part)).bytes) }
        if hasZero, joined.popLast() != 0 { throw .damaged("a text has no end") }
        return .joined(joined)
    }

    private func withoutZero(_ bytes: UnsafeRawBufferPointer) throws(OriginalFileError) -> UnsafeRawBufferPointer {
        guard hasZero else { return bytes }
        guard bytes.last == 0 else { throw .damaged("a text has no end") }
        return slice(bytes, 0, bytes.count - 1)
    }

    private func slice(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }
}

/// The values of a text property that has only a few.
final class TextPool {
    let texts: Texts

    init(_ texts: Texts) { self.texts = texts }
}
