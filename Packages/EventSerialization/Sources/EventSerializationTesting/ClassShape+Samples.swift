public import EventModel

extension ClassShape {
    /// The class of the Event Library's own examples.
    public static let samplePerson = ClassShape(
        name: "Person",
        properties: [
            PropertyShape(name: "_id", kind: .objectId),
            PropertyShape(name: "name", kind: .string),
            PropertyShape(name: "employeeId", kind: .int),
            PropertyShape(name: "userId", kind: .string, isOptional: true),
            PropertyShape(name: "_partition", kind: .string),
        ],
        primaryKeySlot: 0
    )

    /// An embedded class.
    public static let sampleAddress = ClassShape(
        name: "Address",
        properties: [
            PropertyShape(name: "street", kind: .string, isOptional: true),
            PropertyShape(name: "city", kind: .string, isOptional: true),
        ],
        isEmbedded: true
    )

    /// A class that holds the kind once alone, in `single`, and in `list`, `set` and `map`; all may be null.
    ///
    /// Links lead to `Person`, embedded objects are of `Address`.
    public static func sampleHolder(of kind: PropertyShape.Kind) -> ClassShape {
        let collections: [(String, PropertyShape.Collection)] = [
            ("single", .none), ("list", .list), ("set", .set), ("map", .dictionary),
        ]
        return ClassShape(
            name: "Holder",
            properties: collections.map { name, collection in
                PropertyShape(
                    name: name,
                    kind: kind,
                    collection: collection,
                    isOptional: true,
                    targetClass: kind == .link ? "Person" : nil,
                    embeddedShape: kind == .embedded ? sampleAddress : nil
                )
            }
        )
    }
}
