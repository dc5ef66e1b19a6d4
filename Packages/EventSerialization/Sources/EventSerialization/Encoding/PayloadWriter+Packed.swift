import EventModel

/// Where a packed value belongs, for links, embedded objects and messages.
struct PackedContext {
    let plan: ClassPlan
    let property: ClassPlan.Property
    /// The targets of the property's links that are written in full, by row.
    let targets: [Int64: ReadObject]?

    var invalidText: SerializationError {
        .invalidText(className: plan.shape.name, property: plan.columnName(property.slot))
    }
}

extension PayloadWriter {
    /// Writes a packed value with all that it contains.
    mutating func write(_ value: PackedValue, _ context: PackedContext) throws(SerializationError) {
        switch value.tag {
        case .null: output.appendNull()
        case .data: write(data: value.bytes)
        case .false: output.append(false)
        case .true: output.append(true)
        case .int: output.append(value.int)
        case .float: output.append(Double(value.float))
        case .double: output.append(value.double)
        case .string: guard output.append(quoted: value.bytes) else { throw context.invalidText }
        case .date: output.append(date: value.double)
        case .objectId: output.append(objectId: value.objectId)
        case .uuid: output.append(uuid: value.uuid)
        case .decimal128: output.append(decimal128: value.decimal128)
        case .link: try write(link: value, context)
        case .list: try write(list: value, context)
        case .dictionary: try write(dictionary: value, context)
        case .embedded:
            guard let plan = context.property.embedded else { return output.appendNull() }
            try write(value.embedded, plan, followed: [])
        }
    }

    /// Writes the target in full if it was followed, else its primary key.
    private mutating func write(link: PackedValue, _ context: PackedContext) throws(SerializationError) {
        if let target = context.targets?[link.linkKey] {
            // Links in a property of any type may lead to the same row of different classes.
            let isTyped = context.plan.shape.properties[context.property.slot].kind == .link
            if isTyped || target.snapshot.shape.name == link.linkClassName { return try write(target) }
        }
        let primaryKey = link.linkPrimaryKey
        guard primaryKey.tag != .null else { return output.append(link.linkKey) }
        try write(primaryKey, context)
    }

    private mutating func write(list: PackedValue, _ context: PackedContext) throws(SerializationError) {
        let start = output.count
        try list.forEachElement { (element) throws(SerializationError) in
            output.append(",")
            try write(element, context)
        }
        output.close(from: start, Self.openingBracket, Self.closingBracket)
    }

    private mutating func write(dictionary: PackedValue, _ context: PackedContext) throws(SerializationError) {
        let start = output.count
        for entry in dictionary.sortedEntries {
            output.append(",")
            guard output.append(quoted: entry.key) else { throw context.invalidText }
            output.append(":")
            try write(entry.value, context)
        }
        output.close(from: start, Self.openingBrace, Self.closingBrace)
    }

    /// Writes the primary key of an object, or its row when the class has none.
    mutating func write(key reference: ObjectReference) throws(SerializationError) {
        switch reference.primaryKey {
        case .int(let key): output.append(key)
        case .string(let key): try write(text: key, className: reference.className)
        case .objectId(let key): output.append(objectId: key)
        case .uuid(let key): output.append(uuid: key)
        default: output.append(reference.key)
        }
    }
}

extension PackedValue {
    /// The entries of a dictionary, sorted by the bytes of their keys.
    ///
    /// - Complexity: O(*n*) when they are stored in this order, else O(*n* log *n*).
    var sortedEntries: [(key: UnsafeRawBufferPointer, value: PackedValue)] {
        var entries: [(key: UnsafeRawBufferPointer, value: PackedValue)] = []
        entries.reserveCapacity(count)
        var isSorted = true
        forEachEntry { key, value in
            if let last = entries.last, !last.key.lexicographicallyPrecedes(key) { isSorted = false }
            entries.append((key, value))
        }
        return isSorted ? entries : entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
}
