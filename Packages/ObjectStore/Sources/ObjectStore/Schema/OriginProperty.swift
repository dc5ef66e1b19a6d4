/// A property that shows the objects whose links lead to its object; nothing is stored for it.
struct OriginProperty: Sendable {
    /// Comes behind the slots of the stored properties.
    let slot: Int
    let name: String
    /// Where the wrapper lies in an object, in bytes.
    let offset: Int
    /// The type of the property.
    let type: any LinkingObjectsProtocol.Type
    /// The property that links; nil when the declaration does not name one.
    let origin: String?

    /// The class of the objects that link.
    var target: ObjectBase.Type { type._originType }

    /// Returns what is wrong with the property, as sentences.
    func problems(in schema: ClassSchema, _ classes: [ClassSchema]) -> [String] {
        let place = "\(schema.name).\(name)"
        guard let origin else {
            return ["The property '\(place)' does not say which links it shows: declare it with 'originProperty'."]
        }
        guard let linking = classes.first(where: { $0.type == target }) else {
            return [
                """
                The property '\(place)' shows links of the class '\(target.className())', which is not in 'objectTypes'.
                """
            ]
        }
        guard let link = linking.property(named: origin) else {
            return ["The property '\(place)' shows links of '\(linking.name).\(origin)', which does not exist."]
        }
        guard let end = link.type.target else {
            return ["The property '\(place)' shows links of '\(linking.name).\(origin)', which is no link."]
        }
        guard end == schema.type else {
            return [
                """
                The property '\(place)' shows links of '\(linking.name).\(origin)', which leads to '\(end.className())' \
                and not to '\(schema.name)'.
                """
            ]
        }
        return []
    }
}
