/// What an insertion needs to know of one column, without the rest of the property.
struct ColumnWriter: Sendable {
    /// Where the value of an unmanaged object comes from.
    enum Source: Sendable {
        /// A wrapper of `String`.
        case text
        /// A wrapper of `String?`.
        case optionalText
        /// A wrapper of any other single value, bound by the closure.
        case scalar(@Sendable (UnsafeRawPointer, OpaquePointer, Int32) -> Void)
        /// The row that a link or an embedded object has.
        case link
        /// The two columns of a value of any type.
        case any
    }

    let slot: Int
    /// Where the wrapper lies in an object, in bytes.
    let offset: Int
    let source: Source

    init(_ property: PersistedProperty) {
        slot = property.slot
        offset = property.offset
        switch property.operations.role {
        case .scalar(let operations) where operations.isText:
            source = property.type.isOptional ? .optionalText : .text
        case .scalar(let operations): source = .scalar(operations.bindStored)
        case .any: source = .any
        case .link, .collection: source = .link
        }
    }
}
