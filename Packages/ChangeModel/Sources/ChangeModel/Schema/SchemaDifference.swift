public import EventModel

/// What a client's schema has that the server's lacks, and where the two contradict each other.
///
/// A schema only grows. What a client lacks is no difference: it keeps working, and keeps what it is sent. A name that
/// is gone cannot be told from one that this client never had; so removing and renaming show as something new.
public struct SchemaDifference: Sendable, Hashable {
    /// The classes that are new, by name.
    public let classes: [ExactText]
    /// The properties that are new in classes of the server, as `Class.property`.
    public let properties: [ExactText]
    /// A sentence for each contradiction, in the order of the names; none where one schema can have both.
    public let contradictions: [String]
    /// The server's schema with everything that is new; what contradicts it is as it was.
    public let union: SyncSchema

    /// Whether both say the same of everything that they both name.
    public var isAdditive: Bool { contradictions.isEmpty }

    /// Whether the client has nothing that the server lacks.
    public var isEmpty: Bool { isAdditive && classes.isEmpty && properties.isEmpty }

    /// Compares two schemas.
    ///
    /// - Complexity: O(*n* log *n*) in the properties of both.
    public init(from server: SyncSchema, to client: SyncSchema) {
        var merged = server.classes
        var classes: [ExactText] = []
        var properties: [ExactText] = []
        var contradictions: [String] = []
        for (name, theirs) in client.classes.sorted(by: { $0.key < $1.key }) {
            contradictions += theirs.faults(in: client)
            guard var ours = server.classes[name] else {
                classes.append(name)
                merged[name] = theirs
                continue
            }
            if ours.key != theirs.key {
                contradictions.append("The primary key of \(name) is \(ours.key.words), and not \(theirs.key.words).")
            }
            if ours.isEmbedded != theirs.isEmbedded || ours.isAsymmetric != theirs.isAsymmetric {
                contradictions.append("The class \(name) is \(ours.words), and not \(theirs.words).")
            }
            for (property, wanted) in theirs.properties.sorted(by: { $0.key < $1.key }) {
                if let present = ours.properties[property] {
                    guard present != wanted else { continue }
                    contradictions.append(
                        "The property \(name).\(property) is of type \(present), and not of type \(wanted)."
                    )
                } else {
                    properties.append(ExactText("\(name).\(property)"))
                    ours.properties[property] = wanted
                }
            }
            merged[name] = ours
        }
        self.classes = classes
        self.properties = properties
        self.contradictions = contradictions
        union = SyncSchema(Array(merged.values))
    }
}

extension SchemaDifference {
    /// Returns the schema of the server after a client has presented its own.
    ///
    /// - Parameter isExtending: Whether clients may extend the schema, as they may in development.
    /// - Returns: The union in development, else the server's schema, to which nothing is added.
    /// - Throws: ``ChangeModelError/failed(_:)`` with `invalidSchemaChange` and a sentence for each difference, of which there
    ///   are 100 at most, when the schemas contradict each other, or the client has something new and may not extend.
    public func accepted(isExtending: Bool) throws(ChangeModelError) -> SyncSchema {
        guard isAdditive else { throw .failed(.invalidSchemaChange(Self.told(contradictions))) }
        guard isEmpty || isExtending else {
            throw .failed(
                .invalidSchemaChange(
                    Self.told(
                        classes.map { "The server has no class \($0)." }
                            + properties.map { "The server has no property \($0)." }
                    ) + ["An administrator adds what is missing, or Development Mode does."]
                )
            )
        }
        return union
    }

    /// The sentences that an answer has room for; a small request with a foreign schema gets no large answer.
    private static func told(_ sentences: [String]) -> [String] {
        let limit = 100
        guard sentences.count > limit else { return sentences }
        return sentences.prefix(limit - 1) + ["And \(sentences.count - limit + 1) more."]
    }
}

// MARK: - Words

extension SyncSchema.Class {
    /// What no schema that syncs may have.
    fileprivate func faults(in schema: SyncSchema) -> [String] {
        var faults: [String] = []
        if isEmbedded, key != nil { faults.append("The embedded class \(name) has a primary key.") }
        if !isEmbedded {
            let kind = key.flatMap { properties[$0] }?.kind
            let isKeyed = kind.map { [.int, .string, .objectId, .uuid].contains($0) } ?? false
            if key?.string != "_id" || !isKeyed {
                faults.append("The class \(name) has no primary key _id of a type that syncs.")
            }
        }
        for (property, shape) in properties.sorted(by: { $0.key < $1.key })
        where shape.kind == .link || shape.kind == .embedded {
            let target = shape.target.flatMap { schema.classes[$0] }
            if target?.isEmbedded != (shape.kind == .embedded) || target?.isAsymmetric == true {
                faults.append("The property \(name).\(property) leads to no class that it may lead to.")
            }
        }
        return faults
    }

    fileprivate var words: String {
        isEmbedded ? "embedded" : isAsymmetric ? "asymmetric" : "a class of its own objects"
    }
}

extension SyncSchema.Property: CustomStringConvertible {
    /// The type in words, for a sentence.
    public var description: String {
        let element = "\(target.map { "\($0)" } ?? "\(kind)")\(isOptional ? "?" : "")"
        return collection == .none ? element : "\(collection) of \(element)"
    }
}

extension ExactText? {
    fileprivate var words: String { self?.string ?? "none" }
}
