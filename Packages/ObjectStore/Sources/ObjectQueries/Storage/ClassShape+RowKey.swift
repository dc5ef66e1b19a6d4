package import EventModel

extension ClassShape {
    /// The slot of the primary key whose values are the row keys, so that it has no column of its own; nil in other classes.
    ///
    /// It is one that is an integer and never null.
    package var rowKeySlot: Int? {
        guard !isEmbedded, let slot = primaryKeySlot else { return nil }
        let key = properties[slot]
        return key.kind == .int && key.collection == .none && !key.isOptional ? slot : nil
    }
}
