import EventModel
import ObjectQueries

extension PersistedProperty {
    /// Whether the property, where nobody said anything about it, holds what its class declares.
    ///
    /// Others hold what is alike on all devices: null, or the zero of a type of which each device would make another value.
    var isAlikeUnsaid: Bool {
        guard isColumn, !type.isOptional else { return false }
        switch type.kind {
        case .date, .objectId, .uuid, .any, .link, .embedded: return false
        default: return true
        }
    }
}

extension ClassTable {
    /// What a required property of a new object holds that no server said anything about.
    func unsaidValue(_ slot: Int) throws(Realm.Error) -> Value {
        if let known = unsaidValues[slot] { return known }
        let property = schema.properties[slot]
        let kind = property.type.kind
        var value = Value.zero(kind)
        if property.isAlikeUnsaid, case .scalar(let operations) = property.operations.role {
            let sample = schema.type.init()
            let select = try statement("SELECT ?1")
            withExtendedLifetime(sample) { operations.bindStored(property.field(in: sample), select.handle, 1) }
            defer { select.reset() }
            if try select.step() { value = Value(column: 0, of: select.handle, kind) }
        }
        unsaidValues[slot] = value
        return value
    }
}
