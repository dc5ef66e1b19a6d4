import EventModel
import Foundation

/// Values of any type as one array of the file has them, each read when it is asked for.
struct MixedValues {
    private let codes: Node
    private let ints: Node?
    private let pairs: Node?
    private let texts: Texts?
    private let roots: Node?
    /// How many lists and dictionaries lie around.
    let depth: Int

    var count: Int { codes.size }

    /// Reads the array of a ref, which lies inside as many others.
    init(_ ref: Int64, _ nodes: NodeReader, atMost most: Int, depth: Int) throws(OriginalFileError) {
        guard depth <= NodeReader.deepestValue else { throw .damaged("values lie too deep inside each other") }
        self.depth = depth
        let node = try nodes.refs(ref, atMost: 6)
        guard node.size >= 4 else { throw .damaged("values of any type lack a part") }
        codes = try nodes.numbers(node.someRef(0), atMost: most)
        ints = try node.ref(1).map { ref throws(OriginalFileError) in try nodes.numbers(ref, atMost: most) }
        pairs = try node.ref(2).map { ref throws(OriginalFileError) in try nodes.numbers(ref, atMost: 2 * most) }
        texts = try node.ref(3).map { ref throws(OriginalFileError) in try Texts(texts: ref, nodes, atMost: most) }
        roots = try node.refIfThere(4).map { ref throws(OriginalFileError) in try nodes.refs(ref, atMost: most) }
    }

    /// Reads a value, or finds where the list or dictionary lies that it is.
    func part(_ index: Int, _ context: ValueContext) throws(OriginalFileError) -> NestedPart {
        let code = try codes.int(index)
        guard code != 0 else { return .value(.null) }
        let type = OriginalType(rawValue: (code & 31) - 1)
        guard type == .nestedList || type == .nestedDictionary else { return .value(try scalar(code, context)) }
        let number = code >> 8
        guard code >> 5 & 7 == 4, let roots, let at = Int(exactly: number) else {
            throw .damaged("a list or dictionary is missing")
        }
        let root = try roots.ref(at)
        return type == .nestedList ? .list(root) : .dictionary(root)
    }

    /// Reads a value that is no list or dictionary; a link that leads nowhere has a negative key.
    private func scalar(_ code: Int64, _ context: ValueContext) throws(OriginalFileError) -> OriginalValue {
        let (place, number) = (code >> 5 & 7, code >> 8)
        guard let type = OriginalType(rawValue: (code & 31) - 1),
            place == Self.place(type) || type == .int && place == 0
        else { throw .damaged("a value is of an unknown type") }
        if type == .int, place == 0 { return .int(number) }
        if type == .bool {
            guard number == 0 || number == 1 else { throw .damaged("a truth value is neither true nor false") }
            return .bool(number == 1)
        }
        // Twice as far as anything lies must not run over either.
        guard number >= 0, number < 1 << 40 else { throw .damaged("a value lies nowhere") }
        let at = Int(number)
        switch type {
        case .int: return .int(try int(at))
        case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try int(at))))
        case .double: return .double(Double(bitPattern: UInt64(bitPattern: try int(at))))
        case .string:
            guard let text = try texts?.string(at, context.nodes) else { throw .damaged("a text is missing") }
            return .string(text)
        case .data: return .data(try data(at, context) ?? [])
        case .objectId, .uuid:
            guard let bytes = try data(at, context) else { throw .damaged("an id is missing") }
            let id = bytes.withUnsafeBytes { type == .uuid ? OriginalValue(uuid: $0) : OriginalValue(objectId: $0) }
            guard let id else { throw .damaged("an id has another length") }
            return id
        case .date:
            let (seconds, nanoseconds) = try pair(at)
            return try OriginalValue(seconds: seconds, nanoseconds: nanoseconds)
        case .decimal:
            let (low, high) = try pair(at)
            return .decimal(Decimal128(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)))
        case .typedLink:
            let (table, key) = try pair(at)
            return .link(class: try context.classIndex(table), key: key)
        case .bool, .mixed, .link, .linkList, .backlink, .nestedList, .nestedDictionary:
            throw .damaged("a value is of an unknown type")
        }
    }

    /// Which of the arrays a type has its values in.
    private static func place(_ type: OriginalType) -> Int64 {
        switch type {
        case .bool: 0
        case .int, .float, .double: 1
        case .date, .decimal, .typedLink: 2
        case .string, .data, .objectId, .uuid: 3
        case .mixed, .link, .linkList, .backlink, .nestedList, .nestedDictionary: -1
        }
    }

    private func int(_ index: Int) throws(OriginalFileError) -> Int64 {
        guard let ints else { throw .damaged("a number is missing") }
        return try ints.int(index)
    }

    private func pair(_ index: Int) throws(OriginalFileError) -> (Int64, Int64) {
        guard let pairs else { throw .damaged("a pair of numbers is missing") }
        return (try pairs.int(2 * index), try pairs.int(2 * index + 1))
    }

    private func data(_ index: Int, _ context: ValueContext) throws(OriginalFileError) -> [UInt8]? {
        guard let texts else { throw .damaged("bytes are missing") }
        return try texts.data(index, context.nodes)
    }
}
