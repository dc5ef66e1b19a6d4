/// Reads what the file says of one table.
struct TableReader {
    let name: String
    let key: Int64
    let kind: OriginalClass.Kind
    private let node: Node
    private let nodes: NodeReader

    init(_ ref: Int64, name: String, slot: Int, _ nodes: NodeReader) throws(OriginalFileError) {
        self.name = name
        self.nodes = nodes
        node = try nodes.refs(ref, atMost: 64)
        key = try node.tagged(3)
        guard key & 0xFFFF == Int64(slot) else { throw .damaged("a table has the key of another one") }
        guard let kind = OriginalClass.Kind(rawValue: try node.taggedIfThere(12).map { $0 & 3 } ?? 0) else {
            throw .damaged("a table is of an unknown kind")
        }
        self.kind = kind
    }

    /// What the file says of one column.
    private struct Column {
        let type: Int64
        let attributes: OriginalProperty.Attributes
        let key: Int64
    }

    /// Reads the class that the table is for.
    func readClass(_ className: String, _ classes: [Int64: Int]) throws(OriginalFileError) -> OriginalClass {
        let spec = try nodes.refs(node.someRef(0), atMost: 6)
        guard spec.size == 6 else { throw .damaged("a class lacks a part") }
        let columns = try columns(spec)
        let names = try Texts(texts: spec.someRef(1), nodes, atMost: 0xFFFF)
        let opposite = try node.refIfThere(7)
            .map { ref throws(OriginalFileError) in try nodes.numbers(ref, atMost: 1 << 16) }
        let pools = try spec.ref(4).map { ref throws(OriginalFileError) in try nodes.refs(ref, atMost: 0xFFFF) }
        let primary = try node.taggedIfThere(11)
        var properties: [OriginalProperty] = []
        var leaves = Set<Int64>()
        var primaryKey: Int?
        for (index, column) in columns.enumerated() {
            guard leaves.insert(column.key & 0xFFFF).inserted else {
                throw .damaged("two properties share their values")
            }
            if column.type & 0xFFFF == OriginalType.backlink.rawValue {
                guard index >= names.count else { throw .damaged("links that lead here stand between the properties") }
                continue
            }
            guard index < names.count else { throw .damaged("a property has no name") }
            let name = try names.string(index, nodes) ?? ""
            let pool = try pools?.refIfThere(index)
                .map { ref throws(OriginalFileError) in
                    TextPool(try Texts(texts: ref, nodes, atMost: 1 << 24))
                }
            if primary == column.key { primaryKey = properties.count }
            properties.append(try property("\(className).\(name)", name, column, opposite, pool, classes))
        }
        guard primary == nil || primaryKey != nil else { throw .damaged("the primary key is no property") }
        return OriginalClass(
            name: className,
            kind: kind,
            properties: properties,
            primaryKey: primaryKey,
            clusters: try ClusterIndex(node.someRef(2), nodes)
        )
    }

    private func columns(_ spec: Node) throws(OriginalFileError) -> [Column] {
        let types = try nodes.numbers(spec.someRef(0), atMost: 0xFFFF)
        let attributes = try nodes.numbers(spec.someRef(2), atMost: 0xFFFF)
        let keys = try nodes.numbers(spec.someRef(5), atMost: 0xFFFF)
        guard types.size == attributes.size, types.size == keys.size else {
            throw .damaged("a class has other counts of types than of keys")
        }
        var columns: [Column] = []
        for index in 0..<types.size {
            let flags = OriginalProperty.Attributes(rawValue: try attributes.int(index))
            columns.append(Column(type: try types.int(index), attributes: flags, key: try keys.int(index)))
        }
        return columns
    }

    private func property(
        _ place: String,
        _ name: String,
        _ column: Column,
        _ opposite: Node?,
        _ pool: TextPool?,
        _ classes: [Int64: Int]
    ) throws(OriginalFileError) -> OriginalProperty {
        var (number, attributes) = (column.type & 0xFFFF, column.attributes)
        if number == OriginalType.linkList.rawValue {
            number = OriginalType.link.rawValue
            attributes.insert(.list)
        }
        guard let type = OriginalType(rawValue: number), number <= OriginalType.uuid.rawValue, type != .typedLink else {
            throw .unsupported(what: "the property '\(place)' is of the type \(number), which is not known")
        }
        let collection: OriginalProperty.Collection =
            switch attributes.intersection([.list, .set, .dictionary]) {
            case []: .none
            case .list: .list
            case .set: .set
            case .dictionary: .dictionary
            default: throw .damaged("a property is two collections at once")
            }
        if collection == .dictionary, column.type >> 16 != OriginalType.string.rawValue {
            throw .unsupported(what: "the dictionary '\(place)' has keys that are no texts")
        }
        let leaf = Int(column.key & 0xFFFF)
        var target: Int?
        if type == .link {
            guard let opposite, leaf < opposite.size, let index = classes[try opposite.int(leaf)] else {
                throw .damaged("a link leads to a class that is not there")
            }
            target = index
        }
        return OriginalProperty(
            name: name,
            type: type,
            attributes: attributes,
            collection: collection,
            target: target,
            leaf: leaf,
            pool: pool
        )
    }
}
