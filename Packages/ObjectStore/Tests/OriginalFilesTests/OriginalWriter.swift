/// Writes small files as the original does, for what no golden file has.
struct OriginalWriter {
    private(set) var bytes: [UInt8]

    init(format: UInt8 = 24) {
        bytes = [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 8)
        bytes += Array("T-DB".utf8) + [format, 0, 0, 0]
    }

    // MARK: Nodes

    private mutating func node(_ flags: UInt8, size: Int, _ payload: [UInt8]) -> Int64 {
        let ref = Int64(bytes.count)
        bytes += [0x41, 0x41, 0x41, 0x41, flags, UInt8(size >> 16), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)]
        bytes += payload
        while bytes.count % 8 != 0 { bytes.append(0) }
        return ref
    }

    private func words(_ numbers: [Int64]) -> [UInt8] {
        numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) } }
    }

    /// Numbers of 64 bits.
    mutating func ints(_ numbers: [Int64]) -> Int64 { node(7, size: numbers.count, words(numbers)) }

    /// Refs and tagged numbers.
    mutating func refs(_ numbers: [Int64]) -> Int64 { node(0x47, size: numbers.count, words(numbers)) }

    /// Short texts.
    mutating func texts(_ texts: [String]) -> Int64 {
        let blocks = texts.flatMap { text in
            let utf8 = Array(text.utf8)
            return utf8 + [UInt8](repeating: 0, count: 31 - utf8.count) + [UInt8(31 - utf8.count)]
        }
        return node(0x0E, size: texts.count, blocks)
    }

    /// Bytes of one object, in several nodes.
    mutating func splitData(_ parts: [[UInt8]]) -> Int64 {
        let blobs = parts.map { node(0x14, size: $0.count, $0) }
        let joined = node(0x67, size: blobs.count, words(blobs))
        return node(0x67, size: 1, words([joined]))
    }

    static func tagged(_ number: Int64) -> Int64 { number << 1 | 1 }

    // MARK: Files

    /// A property of the one class of a file.
    struct Column {
        let name: String
        let type: Int64
        var attributes: Int64 = 0
        /// The array of its values.
        let values: Int64
    }

    /// Ends the file with a class of some objects, to which all links lead.
    mutating func finish(_ className: String, _ columns: [Column], count: Int64) -> [UInt8] {
        let root = refs([Self.tagged(count)] + columns.map(\.values))
        let keys = columns.enumerated()
            .map { index, column in
                Int64(index) | (column.type & 0xFFFF) << 16 | (column.attributes & 0xFF) << 22 | Int64(index + 1) << 30
            }
        let spec = refs([
            ints(columns.map(\.type)), texts(columns.map(\.name)), ints(columns.map(\.attributes)), 0, 0, ints(keys),
        ])
        let opposite = ints(columns.map { _ in 0 })
        let table = refs([
            spec, 0, root, Self.tagged(0), 0, 0, 0, opposite, 0, 0, 0, 0, Self.tagged(0), 0,
        ])
        let (names, tables) = (texts(["class_\(className)"]), refs([table]))
        let top = Int64(bytes.count)
        _ = refs([names, tables, Self.tagged(top + 8 + 24)])
        bytes += words([top]) + [0xC8, 0x26, 0xE5, 0x37, 0x52, 0x12, 0x34, 0x30]
        return bytes
    }

    /// A value of any type with lists inside each other.
    mutating func nestedLists(_ count: Int) -> Int64 {
        var inner: Int64 = 0
        for _ in 0..<count {
            // A list whose root is the first of the roots.
            let codes = ints([20 | 4 << 5])
            let roots = refs([inner])
            inner = refs([codes, 0, 0, 0, roots, 0])
        }
        return inner
    }
}
