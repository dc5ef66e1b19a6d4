public import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An object of an asymmetric class on its way to the server, as MongoDB's canonical Extended JSON, version 2.
///
/// In that form every number is an object with a text, such as `{"$numberLong": "5"}`, so that nothing is rounded on the way.
public indirect enum PostedDocument: Sendable, Hashable {
    case null
    case bool(Bool)
    case string(String)
    case list([PostedDocument])
    case members([ExactText: PostedDocument])

    /// The value of the only member, if that has this name.
    fileprivate subscript(only name: ExactText) -> PostedDocument? {
        guard case .members(let members) = self, members.count == 1 else { return nil }
        return members[name]
    }

    /// The text of the only member, if that has this name.
    fileprivate func text(only name: ExactText) -> String? {
        if case .string(let text)? = self[only: name] { text } else { nil }
    }
}

extension PostedDocument: Encodable {
    /// Writes the document as it is.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null: try Bool?.none.encode(to: encoder)
        case .bool(let truth): try truth.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .list(let list): try list.encode(to: encoder)
        case .members(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name.string)) }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

// MARK: - Schema

extension SyncSchema {
    /// Whether a document is an object of an asymmetric class: it has its key, and properties of the class alone, each of its type.
    ///
    /// Properties may be missing, as of any object that an earlier version of a program writes: the schema of an app grows.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - type: The class.
    ///   - key: The primary key that the document must have.
    /// - Returns: Whether it is.
    /// - Complexity: O(*n*) in the bytes.
    func takes(_ text: ExactText, of type: Class, key: PrimaryKey) -> Bool {
        guard case .members(let members)? = PostedDocument(text), let name = type.key else { return false }
        return members[name]?.primaryKey == key && takes(members, of: type)
    }

    private func takes(_ members: [ExactText: PostedDocument], of type: Class) -> Bool {
        members.allSatisfy { name, value in type.properties[name].map { takes(value, $0) } ?? false }
    }

    private func takes(_ value: PostedDocument, _ shape: Property) -> Bool {
        switch (shape.collection, value) {
        case (.none, _): takesSingle(value, shape)
        case (.list, .list(let elements)), (.set, .list(let elements)):
            elements.allSatisfy { takesSingle($0, shape) }
        case (.dictionary, .members(let entries)): entries.values.allSatisfy { takesSingle($0, shape) }
        default: false
        }
    }

    private func takesSingle(_ value: PostedDocument, _ shape: Property) -> Bool {
        if value == .null { return shape.isOptional }
        switch (shape.kind, value) {
        case (.bool, .bool), (.string, .string): return true
        case (.embedded, .members(let members)):
            return shape.target.flatMap { classes[$0] }.map { takes(members, of: $0) } ?? false
        case (.int, _): return value.int != nil
        case (.float, _), (.double, _): return value.text(only: "$numberDouble").flatMap { Double($0) } != nil
        case (.date, _): return value[only: "$date"]?.int != nil
        case (.objectId, _): return value.objectId != nil
        case (.decimal128, _):
            return value.text(only: "$numberDecimal").map { (try? Decimal128(string: $0)) != nil } ?? false
        case (.data, _): return value.binary(subType: "00") != nil
        case (.uuid, _): return value.uuid != nil
        default: return false
        }
    }
}

extension PostedDocument {
    fileprivate var int: Int64? { text(only: "$numberLong").flatMap { Int64($0) } }

    fileprivate var objectId: ObjectId? { text(only: "$oid").flatMap { try? ObjectId(string: $0) } }

    fileprivate func binary(subType: String) -> Data? {
        guard case .members(let members)? = self[only: "$binary"], members.count == 2,
            members["subType"] == .string(subType), case .string(let text)? = members["base64"]
        else { return nil }
        return Data(base64Encoded: text)
    }

    fileprivate var uuid: UUID? {
        guard let bytes = binary(subType: "04"), bytes.count == 16 else { return nil }
        return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    }

    /// The primary key that a member holds; nil for what is none.
    fileprivate var primaryKey: PrimaryKey? {
        switch self {
        case .null: .null
        case .string(let text): .string(ExactText(text))
        default: int.map { .int($0) } ?? objectId.map { .objectId($0) } ?? uuid.map { .uuid($0) }
        }
    }
}
