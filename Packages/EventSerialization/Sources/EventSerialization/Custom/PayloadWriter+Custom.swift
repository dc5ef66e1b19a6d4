import EventModel

// Objects of classes that make their JSON themselves.
extension PayloadWriter {
    /// Writes the JSON that the class makes for an object.
    @inline(never)
    mutating func write(custom object: ReadObject) throws(SerializationError) {
        write(try customJSON(object).text[...])
    }

    /// Writes what the class shows differently after a change, then the old value under its name.
    ///
    /// When both are JSON objects, that is the members that differ and, with null, those that are gone; otherwise it is
    /// the whole new value.
    mutating func writeCustomChange(_ modification: Modification) throws(SerializationError) {
        let before = try customJSON(ReadObject(snapshot: modification.before))
        let after = try customJSON(ReadObject(snapshot: modification.after))
        if let old = before.members, let new = after.members {
            write(new, of: after, changedFrom: old, of: before)
        } else {
            write(after.text[...])
        }
        output.append(",\"oldValue\":")
        write(before.text[...])
    }

    private mutating func write(
        _ new: [CanonicalJSON.Member],
        of after: CanonicalJSON,
        changedFrom old: [CanonicalJSON.Member],
        of before: CanonicalJSON
    ) {
        let start = output.count
        var rest = old[...]
        for member in new {
            // Both are sorted, so that what is gone comes before the first key behind it.
            while let gone = rest.first, gone.key.lexicographicallyPrecedes(member.key) {
                write(missing: gone, of: before)
                rest.removeFirst()
            }
            let isKnown = rest.first?.key == member.key
            let known = isKnown ? rest.removeFirst() : nil
            guard known.map({ before.text[$0.text] != after.text[member.text] }) ?? true else { continue }
            output.append(",")
            write(after.text[member.text])
        }
        for gone in rest { write(missing: gone, of: before) }
        output.close(from: start, Self.openingBrace, Self.closingBrace)
    }

    private mutating func write(missing member: CanonicalJSON.Member, of before: CanonicalJSON) {
        output.append(",")
        write(before.text[member.name])
        output.appendNull()
    }

    private mutating func write(_ text: ArraySlice<UInt8>) {
        text.withUnsafeBytes { output.append($0) }
    }

    private func customJSON(_ object: ReadObject) throws(SerializationError) -> CanonicalJSON {
        let shape = object.snapshot.shape
        guard let representation = shape.representation else { throw .incompleteSnapshot(className: shape.name) }
        let text: String
        do {
            text = try representation(object)
        } catch {
            throw .representationFailed(className: shape.name, cause: error)
        }
        do {
            return try CanonicalJSON(text)
        } catch {
            throw .malformedRepresentation(className: shape.name, offset: error.offset)
        }
    }
}
