import SwiftASN1

/// Reads the parts of a constructed value one after the other.
///
/// The order in sets is not checked, because authorities do not keep to it; nothing that is believed depends on it.
struct DERReader {
    private let nodes: [ASN1Node]
    private var place = 0
    private let name: String

    /// Opens a sequence or a set.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - identifier: What it has to be.
    ///   - name: What it is called in an error.
    /// - Throws: ``TimeStampError/unreadable(reason:)`` when it is something else.
    init(_ node: ASN1Node?, as identifier: ASN1Identifier = .sequence, _ name: String) throws(TimeStampError) {
        guard let node, node.identifier == identifier, case .constructed(let nodes) = node.content else {
            throw .unreadable(reason: "\(name) is missing")
        }
        self.nodes = Array(nodes)
        self.name = name
    }

    /// The next part, which is taken; nil behind the last one.
    mutating func next() -> ASN1Node? {
        guard place < nodes.count else { return nil }
        place += 1
        return nodes[place - 1]
    }

    /// The next part, if it is of a kind; it is taken then.
    mutating func next(if identifier: ASN1Identifier) -> ASN1Node? {
        guard place < nodes.count, nodes[place].identifier == identifier else { return nil }
        return next()
    }

    /// The next part as a value.
    ///
    /// - Throws: ``TimeStampError/unreadable(reason:)`` when it is missing or another one.
    mutating func value<Value: DERParseable>(_: Value.Type = Value.self) throws(TimeStampError) -> Value {
        guard let node = next() else { throw .unreadable(reason: "\(name) is too short") }
        do {
            return try Value(derEncoded: node)
        } catch {
            throw .unreadable(reason: "\(name) has a part that is none")
        }
    }

    /// The parts that are left.
    mutating func rest() -> [ASN1Node] {
        defer { place = nodes.count }
        return Array(nodes[place...])
    }
}

extension ASN1Identifier {
    /// A part that is marked by a number.
    static func tagged(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}

extension ASN1Node {
    /// The object identifier in front of an algorithm.
    func algorithm(_ name: String) throws(TimeStampError) -> ASN1ObjectIdentifier {
        var reader = try DERReader(self, name)
        return try reader.value()
    }
}
