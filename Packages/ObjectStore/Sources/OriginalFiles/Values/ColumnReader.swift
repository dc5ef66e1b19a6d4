import Foundation

/// The values that one array of the file holds of one property or collection, each read when it is asked for.
struct ColumnReader {
    private enum Form {
        case ints(Node)
        /// The first number is what stands for null.
        case optionalInts(Node)
        case bools(Node)
        case floats(Node, isOptional: Bool)
        case doubles(Node, isOptional: Bool)
        case texts(Texts)
        case data(Texts)
        case dates(seconds: Node, nanoseconds: Node)
        case decimals(Node)
        case ids(Node, length: Int)
        case mixed(MixedValues)
        /// One more than the key, and 0 for null.
        case links(Node, class: Int)
        case linkKeys(Node, class: Int)
    }

    let count: Int
    private let form: Form

    /// Where an array lies, which decides what it looks like.
    enum Place {
        /// In a leaf of the objects of a class.
        case cluster
        /// In a leaf of a collection.
        case tree

        var most: Int { self == .cluster ? NodeReader.largestCluster : NodeReader.largestLeaf }
    }

    /// Reads the array of a ref.
    init(
        _ ref: Int64,
        _ property: OriginalProperty,
        _ place: Place,
        _ nodes: NodeReader,
        depth: Int = 0
    ) throws(OriginalFileError) {
        let most = place.most
        switch property.type {
        case .int:
            let node = try nodes.numbers(ref, atMost: most + (property.isOptional ? 1 : 0))
            guard property.isOptional else {
                (form, count) = (.ints(node), node.size)
                return
            }
            guard node.size > 0 else { throw .damaged("optional numbers do not say what null is") }
            (form, count) = (.optionalInts(node), node.size - 1)
        case .bool:
            let node = try nodes.numbers(ref, atMost: most)
            (form, count) = (.bools(node), node.size)
        case .float, .double:
            let node = try nodes.fixed(ref)
            let width = property.type == .float ? 4 : 8
            guard node.width == width || node.size == 0 else { throw .damaged("numbers have another width") }
            form =
                width == 4
                ? .floats(node, isOptional: property.isOptional) : .doubles(node, isOptional: property.isOptional)
            count = node.size
        case .string:
            let pool = place == .cluster ? property.pool : nil
            let texts = try Texts(texts: ref, nodes, atMost: most, pool)
            (form, count) = (.texts(texts), texts.count)
        case .data:
            let texts = try Texts(data: ref, nodes, atMost: most)
            (form, count) = (.data(texts), texts.count)
        case .date:
            let node = try nodes.refs(ref, atMost: 2)
            guard node.size == 2 else { throw .damaged("dates lack a part") }
            let seconds = try nodes.numbers(node.someRef(0), atMost: most + 1)
            let nanoseconds = try nodes.numbers(node.someRef(1), atMost: most)
            guard seconds.size == nanoseconds.size + 1 else { throw .damaged("dates lack a part") }
            (form, count) = (.dates(seconds: seconds, nanoseconds: nanoseconds), nanoseconds.size)
        case .decimal:
            let node = try nodes.fixed(ref)
            guard [0, 4, 8, 16].contains(node.width) else { throw .damaged("decimal numbers have another width") }
            (form, count) = (.decimals(node), node.size)
        case .objectId, .uuid:
            let length = property.type == .uuid ? 16 : 12
            let node = try nodes.fixed(ref)
            guard node.width == 1 || node.size == 0 else { throw .damaged("ids have another width") }
            let block = 8 * length + 1
            let (found, rest) = (node.size - (node.size + block - 1) / block).quotientAndRemainder(dividingBy: length)
            guard rest == 0 else { throw .damaged("ids were cut") }
            (form, count) = (.ids(node, length: length), found)
        case .mixed:
            let mixed = try MixedValues(ref, nodes, atMost: most, depth: depth)
            (form, count) = (.mixed(mixed), mixed.count)
        case .link:
            let node = try nodes.numbers(ref, atMost: most)
            guard let target = property.target else { throw .damaged("a link has no class") }
            form = place == .cluster ? .links(node, class: target) : .linkKeys(node, class: target)
            count = node.size
        case .linkList, .backlink, .typedLink, .nestedList, .nestedDictionary:
            throw .damaged("a property is of an unknown type")
        }
        guard count <= most else { throw .damaged("a node has too many values") }
    }

    /// Reads a value; null for a link that leads nowhere, unless it lies in a list or set of links, where its key is negative.
    @inline(__always)
    func value(_ index: Int, _ context: ValueContext) throws(OriginalFileError) -> OriginalValue {
        guard index >= 0, index < count else { throw .damaged("a value is missing") }
        switch form {
        case .ints(let node): return .int(try node.int(index))
        case .optionalInts(let node):
            let number = try node.int(index + 1)
            return try number == node.int(0) ? .null : .int(number)
        case .bools(let node):
            switch try node.int(index) {
            case 0: return .bool(false)
            case 1: return .bool(true)
            case 3: return .null
            default: throw .damaged("a truth value is neither true nor false")
            }
        case .floats(let node, let isOptional):
            let bits = UInt32(littleEndian: node.payload.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
            return isOptional && bits == 0x7FC0_00AA ? .null : .float(Float(bitPattern: bits))
        case .doubles(let node, let isOptional):
            let bits = UInt64(littleEndian: node.payload.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            return isOptional && bits == 0x7FF8_0000_0000_00AA ? .null : .double(Double(bitPattern: bits))
        case .texts(let texts): return try texts.string(index, context.nodes).map(OriginalValue.string) ?? .null
        case .data(let texts): return try texts.data(index, context.nodes).map(OriginalValue.data) ?? .null
        case .dates(let seconds, let nanoseconds):
            let number = try seconds.int(index + 1)
            if try number == seconds.int(0) { return .null }
            return try OriginalValue(seconds: number, nanoseconds: nanoseconds.int(index))
        case .decimals(let node): return decimal(node, index)
        case .ids(let node, let length): return try id(node, length, index)
        case .mixed(let mixed): return try NestedValues(mixed.depth + 1).value(mixed.part(index, context), context)
        case .links(let node, let target):
            let number = try node.int(index)
            // Below zero are links that lead nowhere; the least number has none before it.
            return number == 0 ? .null : .link(class: target, key: number > 0 ? number - 1 : max(number, .min + 1) - 1)
        case .linkKeys(let node, let target): return .link(class: target, key: try node.int(index))
        }
    }

    /// Reads a value, or finds where the list or dictionary lies that it is.
    func part(_ index: Int, _ context: ValueContext) throws(OriginalFileError) -> NestedPart {
        guard case .mixed(let mixed) = form else { return .value(try value(index, context)) }
        guard index >= 0, index < count else { throw .damaged("a value is missing") }
        return try mixed.part(index, context)
    }

    private func decimal(_ node: Node, _ index: Int) -> OriginalValue {
        let at = node.payload + index * node.width
        return switch node.width {
        case 0: node.hasContext ? .decimal(.zero) : .null
        case 4: OriginalValue(decimal: UInt64(UInt32(littleEndian: at.loadUnaligned(as: UInt32.self))), .bits32)
        case 8: OriginalValue(decimal: UInt64(littleEndian: at.loadUnaligned(as: UInt64.self)), .bits64)
        default: OriginalValue(decimal: at)
        }
    }

    private func id(_ node: Node, _ length: Int, _ index: Int) throws(OriginalFileError) -> OriginalValue {
        let block = index / 8 * (8 * length + 1)
        let isNull = node.payload.load(fromByteOffset: block, as: UInt8.self) >> UInt8(index & 7) & 1
        if isNull == 1 { return .null }
        let start = block + 1 + index % 8 * length
        let bytes = UnsafeRawBufferPointer(start: node.payload + start, count: length)
        guard let id = length == 16 ? OriginalValue(uuid: bytes) : OriginalValue(objectId: bytes) else {
            throw .damaged("an id has another length")
        }
        return id
    }
}
