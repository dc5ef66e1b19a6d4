import EventModel

/// How the objects of a class are written: their properties in the order of JSON, each with its name as JSON.
final class ClassPlan: Sendable {
    /// One property, and where its name lies in ``ClassPlan/names``.
    struct Property: Sendable {
        let slot: Int
        let form: Form
        let nameStart: Int
        let nameCount: Int
        /// The plan of the embedded class.
        let embedded: ClassPlan?
    }

    /// The one thing that decides how a slot is written.
    enum Form: UInt8, Sendable {
        case int
        case bool
        case float
        case double
        case string
        case data
        case date
        case objectId
        case uuid
        case decimal128
        case single
        case array
        case dictionary
    }

    /// The class; held so that its identity stays its own.
    let shape: ClassShape
    /// The properties in the order of JSON.
    let properties: [Property]
    /// `,"name":` of all properties, one behind the other, and seven bytes so that words can be read.
    let names: [UInt8]
    /// Whether a flat snapshot lacks something.
    let needsWholeSnapshots: Bool
    /// Whether the class makes its JSON itself.
    let isCustom: Bool

    init(_ shape: ClassShape) throws(SerializationError) {
        self.shape = shape
        isCustom = shape.representation != nil
        var properties: [Property] = []
        var output = JSONOutput(capacity: 1024)
        for slot in shape.slotsByColumnName {
            let property = shape.properties[slot]
            let start = output.count
            output.append(",")
            guard output.append(quoted: property.columnName) else {
                throw .invalidText(className: shape.name, property: property.columnName)
            }
            output.append(":")
            properties.append(
                Property(
                    slot: slot,
                    form: Form(property),
                    nameStart: start,
                    nameCount: output.count - start,
                    embedded: try property.embeddedShape.map { (shape) throws(SerializationError) in
                        try ClassPlan(shape)
                    }
                )
            )
        }
        self.properties = properties
        names = Array(output.bytes) + [UInt8](repeating: 0, count: 7)
        needsWholeSnapshots = shape.properties.contains { property in
            property.collection != .none || property.kind == .link || property.kind == .embedded
        }
    }

    /// The name of a property's column, for messages.
    func columnName(_ slot: Int) -> String {
        shape.properties[slot].columnName
    }
}

extension ClassPlan.Form {
    init(_ property: PropertyShape) {
        switch property.collection {
        case .list, .set: self = .array
        case .dictionary: self = .dictionary
        case .none:
            switch property.kind {
            case .int: self = .int
            case .bool: self = .bool
            case .float: self = .float
            case .double: self = .double
            case .string: self = .string
            case .data: self = .data
            case .date: self = .date
            case .objectId: self = .objectId
            case .uuid: self = .uuid
            case .decimal128: self = .decimal128
            case .any, .link, .embedded: self = .single
            }
        }
    }
}

extension JSONOutput {
    /// Appends text in quotes.
    ///
    /// - Returns: Whether the text is UTF-8, which a native string always is.
    mutating func append(quoted text: String) -> Bool {
        var text = text
        return text.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
    }
}
