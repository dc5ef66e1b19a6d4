/// A file that the original wrote, opened for reading only.
///
/// What is read is the version of the file at the time when it was opened; nobody may write to it meanwhile. An object of this class is
/// used on one thread at a time. Every node is checked before it is followed, and followed once in each pass, so that a damaged file ends
/// in an ``OriginalFileError`` after a time that its size bounds.
///
/// ```swift
/// let file = try OriginalFile(path: path)
/// for found in file.classes { print(found.name, found.count) }
/// ```
package final class OriginalFile {
    /// The formats that are read.
    package static let formats = 20...24
    /// What stands before the names of tables that are classes.
    private static let classPrefix = "class_"

    /// The format of the file; 0 for one that nobody ever wrote to.
    package let format: Int
    /// The version of the schema; nil when the app never said one.
    package private(set) var schemaVersion: UInt64?
    /// The classes, by name.
    package private(set) var classes: [OriginalClass] = []
    private let nodes: NodeReader
    private(set) var context: ValueContext

    /// Opens a file by its path.
    ///
    /// - Complexity: O(*n*) in the count of objects, of whose values none is read.
    package convenience init(path: String) throws(OriginalFileError) {
        try self.init(FileBytes(path: path))
    }

    /// Opens a file that is in memory.
    package convenience init(bytes: [UInt8]) throws(OriginalFileError) {
        try self.init(FileBytes(bytes))
    }

    private init(_ bytes: FileBytes) throws(OriginalFileError) {
        let header = try FileHeader(bytes.buffer)
        format = header.format
        nodes = NodeReader(bytes, format: header.format, limit: header.limit)
        context = ValueContext(nodes: nodes, classes: [:])
        if let top = header.top { try readTables(top) }
        nodes.keepMarks()
    }

    /// Whether the first bytes of a file are those of the original.
    ///
    /// - Parameter header: The first 24 bytes or more.
    /// - Returns: False for an encrypted file, of which nobody can say it.
    package static func isOriginal(header: [UInt8]) -> Bool {
        header.count >= 24 && Array(header[16..<20]) == FileHeader.name
    }

    // MARK: Classes

    private func readTables(_ top: Int64) throws(OriginalFileError) {
        let node = try nodes.refs(top, atMost: 12)
        guard [3, 5, 7, 9, 10, 11, 12].contains(node.size) else { throw .damaged("the uppermost node lacks a part") }
        try nodes.end(at: node.tagged(2))
        let names = try Texts(texts: node.someRef(0), nodes, atMost: 0xFFFF)
        let slots = try nodes.refs(node.someRef(1), atMost: 0xFFFF)
        guard names.count == slots.size else { throw .damaged("there are other counts of tables than of names") }
        var tables: [TableReader] = []
        var metadata: TableReader?
        for slot in 0..<slots.size {
            let entry = try slots.int(slot)
            guard entry & 1 == 0, entry != 0, let name = try names.string(slot, nodes) else { continue }
            if name.hasPrefix(Self.classPrefix) {
                tables.append(try TableReader(slots.someRef(slot), name: name, slot: slot, nodes))
            } else if name == "metadata" {
                metadata = try TableReader(slots.someRef(slot), name: name, slot: slot, nodes)
            }
        }
        tables.sort { $0.name < $1.name }
        guard Set(tables.map(\.name)).count == tables.count, Set(tables.map(\.key)).count == tables.count else {
            throw .damaged("two classes have one name")
        }
        let indexes = Dictionary(zip(tables.map(\.key), 0...)) { first, _ in first }
        context = ValueContext(nodes: nodes, classes: indexes)
        for table in tables {
            let name = String(table.name.dropFirst(Self.classPrefix.count))
            do throws(OriginalFileError) {
                classes.append(try table.readClass(name, indexes))
            } catch {
                throw error.inside(name)
            }
        }
        try readVersion(try metadata?.readClass("metadata", indexes))
    }

    private func readVersion(_ metadata: OriginalClass?) throws(OriginalFileError) {
        guard let metadata, let property = metadata.properties.firstIndex(where: { $0.name == "version" }),
            !metadata.clusters.clusters.isEmpty
        else { return }
        let batch = try OriginalBatch(metadata, 0, context)
        guard case .int(let version) = try batch.value(property: property, at: 0) else {
            throw .damaged("the version of the schema is no number")
        }
        schemaVersion = version == -1 ? nil : UInt64(bitPattern: version)
    }

    // MARK: Objects

    /// Begins to read the objects; each batch is read once in a pass.
    package func beginPass() { nodes.beginPass() }

    /// How many batches of objects a class has.
    package func batchCount(of classIndex: Int) -> Int { classes[classIndex].clusters.clusters.count }

    /// Reads at most 256 objects that lie together.
    ///
    /// - Parameters:
    ///   - index: Which of the batches, which are in the order of the objects.
    ///   - classIndex: Which of the ``classes``.
    /// - Returns: The objects, whose values are read when they are asked for.
    /// - Throws: An ``OriginalFileError`` when the batch is damaged, or was read in this pass already.
    package func batch(_ index: Int, of classIndex: Int) throws(OriginalFileError) -> OriginalBatch {
        try OriginalBatch(classes[classIndex], index, context)
    }

    /// Finds an object by its key.
    ///
    /// - Parameters:
    ///   - key: What links say.
    ///   - classIndex: Which of the ``classes``.
    /// - Returns: How many objects of the class come before it; nil when there is none.
    /// - Throws: An ``OriginalFileError`` when the class is damaged.
    /// - Complexity: O(log *n*) in the count of objects.
    package func position(of key: Int64, in classIndex: Int) throws(OriginalFileError) -> Int? {
        let clusters = classes[classIndex].clusters
        guard let found = try clusters.find(key) else { return nil }
        return clusters.clusters[found.cluster].first + found.index
    }

    /// Reads the primary key of an object by its key, in a class whose primary keys are numbers that are always there.
    ///
    /// - Parameters:
    ///   - key: What links say.
    ///   - classIndex: Which of the ``classes``, with ``OriginalClass/hasIntKey``.
    /// - Returns: The primary key; nil when there is no such object.
    /// - Throws: An ``OriginalFileError`` when the class is damaged.
    /// - Complexity: O(log *n*) in the count of objects.
    package func intKey(of key: Int64, in classIndex: Int) throws(OriginalFileError) -> Int64? {
        let found = classes[classIndex]
        guard let slot = found.primaryKey, let place = try found.clusters.find(key) else { return nil }
        let node = found.clusters.clusters[place.cluster].node
        // The batch of the object is checked when it is read itself.
        let keys = try nodes.look(node.someRef(1 + found.properties[slot].leaf))
        try nodes.requireNumbers(keys, atMost: NodeReader.largestCluster)
        return try keys.int(place.index)
    }
}
