/// Writes files as the original does, for tests and measurements that no golden file is for.
///
/// ```swift
/// var writer = OriginalWriter()
/// let ages = writer.ints([42, 7])
/// let bytes = writer.finish("Person", [OriginalWriter.Column(name: "age", type: 0, values: ages)], count: 2)
/// ```
/// The forms of nodes are those that the module OriginalFiles reads; a file is written from its front to its end, in memory.
public struct OriginalWriter: Sendable {
    /// What was written until now.
    public private(set) var bytes: [UInt8]

    /// Begins a file.
    ///
    /// - Parameter format: The number of its format, 20 to 24.
    public init(format: UInt8 = 24) {
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

    /// Writes numbers of 64 bits and returns where they lie.
    public mutating func ints(_ numbers: [Int64]) -> Int64 { node(7, size: numbers.count, words(numbers)) }

    /// Writes refs and tagged numbers and returns where they lie.
    public mutating func refs(_ numbers: [Int64]) -> Int64 { node(0x47, size: numbers.count, words(numbers)) }

    /// Writes numbers with a fraction and returns where they lie.
    public mutating func doubles(_ numbers: [Double]) -> Int64 {
        node(0x0C, size: numbers.count, words(numbers.map { Int64(bitPattern: $0.bitPattern) }))
    }

    /// Writes texts of at most 31 bytes and returns where they lie.
    public mutating func texts(_ texts: [String]) -> Int64 {
        let blocks = texts.flatMap { text in
            let utf8 = Array(text.utf8)
            return utf8 + [UInt8](repeating: 0, count: 31 - utf8.count) + [UInt8(31 - utf8.count)]
        }
        return node(0x0E, size: texts.count, blocks)
    }

    /// Writes bytes of one object in several nodes and returns where they lie.
    public mutating func splitData(_ parts: [[UInt8]]) -> Int64 {
        let blobs = parts.map { node(0x14, size: $0.count, $0) }
        let joined = node(0x67, size: blobs.count, words(blobs))
        return node(0x67, size: 1, words([joined]))
    }

    /// Writes a value of any type with lists inside each other and returns where it lies.
    public mutating func nestedLists(_ count: Int) -> Int64 {
        var inner: Int64 = 0
        for _ in 0..<count {
            // A list whose root is the first of the roots.
            let codes = ints([20 | 4 << 5])
            let roots = refs([inner])
            inner = refs([codes, 0, 0, 0, roots, 0])
        }
        return inner
    }

    /// A number among refs, which the lowest bit tells from them.
    public static func tagged(_ number: Int64) -> Int64 { number << 1 | 1 }

    // MARK: Files

    /// A property of the one class of a file.
    public struct Column: Sendable {
        let name: String
        let type: Int64
        let attributes: Int64
        let values: Int64

        /// Describes a property.
        ///
        /// - Parameters:
        ///   - name: Its name.
        ///   - type: The number of its type.
        ///   - attributes: Its attributes, such as 16 for a value that may be null.
        ///   - values: Where its values lie, where there is one leaf of objects.
        public init(name: String, type: Int64, attributes: Int64 = 0, values: Int64 = 0) {
            (self.name, self.type, self.attributes, self.values) = (name, type, attributes, values)
        }
    }

    /// Objects that lie together, at most 256.
    public struct Leaf: Sendable {
        let count: Int64
        let columns: [Int64]

        /// Describes objects.
        ///
        /// - Parameters:
        ///   - count: How many there are.
        ///   - columns: Where the values of each property lie.
        public init(count: Int64, columns: [Int64]) {
            (self.count, self.columns) = (count, columns)
        }
    }

    /// Ends the file with a class of some objects, to which all links lead.
    public mutating func finish(_ className: String, _ columns: [Column], count: Int64) -> [UInt8] {
        finish(className, columns, [Leaf(count: count, columns: columns.map(\.values))])
    }

    /// Ends the file with a class of objects in leaves, of which all but the last have 256.
    public mutating func finish(_ className: String, _ columns: [Column], _ leaves: [Leaf]) -> [UInt8] {
        var roots = leaves.map { (ref: refs([Self.tagged($0.count)] + $0.columns), count: $0.count) }
        var depth: Int64 = 0
        while roots.count > 1 {
            depth += 1
            let children = roots
            roots = stride(from: 0, to: children.count, by: 256)
                .map { start in
                    let part = children[start..<min(start + 256, children.count)]
                    let count = part.reduce(0) { $0 + $1.count }
                    let numbers = [0, Self.tagged(depth), Self.tagged(count)]
                    // An inner node; offsets follow from the places of children.
                    return (node(0xC7, size: 3 + part.count, words(numbers + part.map(\.ref))), count)
                }
        }
        return finish(className, columns, root: roots[0].ref)
    }

    private mutating func finish(_ className: String, _ columns: [Column], root: Int64) -> [UInt8] {
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
}
