/// JSON that an app made, checked and brought into one form, so that equal values have equal text.
///
/// Without white space; the keys of every object sorted by their bytes, of equal ones the last; only quotes, backslashes
/// and control characters are escaped. Numbers keep their text, whatever its precision: `1`, `1.0` and `1e0` differ.
struct CanonicalJSON {
    /// How deep arrays and objects may lie inside each other: little enough for the stack of any background thread.
    static let maximumDepth = 128

    /// A member of the outermost object.
    struct Member {
        /// The key without quotes and escapes.
        let key: [UInt8]
        /// Where name, colon and value lie in ``CanonicalJSON/text``.
        let text: Range<Int>
        /// Where name and colon lie.
        let name: Range<Int>
    }

    /// The text.
    let text: [UInt8]
    /// The members sorted by key when the text is an object; nil for any other value.
    let members: [Member]?

    /// Reads text.
    ///
    /// - Throws: ``MalformedJSON`` unless the text is exactly one value by RFC 8259, with paired surrogates and no more
    ///   than ``maximumDepth`` levels.
    /// - Complexity: O(*n* log *n*) in the length of the text, O(*n*) when keys are sorted.
    init(_ text: String) throws(MalformedJSON) {
        var text = text
        (self.text, members) =
            try text.withUTF8 { utf8 in
                Result { () throws(MalformedJSON) in
                    var reader = JSONReader(UnsafeRawBufferPointer(utf8))
                    let members = try reader.readDocument()
                    return (Array(reader.output.bytes), members)
                }
            }
            .get()
    }
}

/// Says where text stops being JSON.
struct MalformedJSON: Error, Equatable {
    /// The offset of the byte that cannot follow; the count of bytes when the text ends too early.
    let offset: Int
}
