import EventModel

/// Writes one payload.
///
/// Members are written with a comma before each; when the array or object ends, the first comma becomes the bracket.
struct PayloadWriter: ~Copyable {
    private static let comma: UInt8 = 0x2C
    static let openingBrace: UInt8 = 0x7B
    static let closingBrace: UInt8 = 0x7D
    static let openingBracket: UInt8 = 0x5B
    static let closingBracket: UInt8 = 0x5D

    /// Memory of at most a kilobyte comes out of what the thread itself has just freed, which is several times as fast.
    private static let smallCapacity = 1000

    var output: JSONOutput
    let dataRepresentation: DataRepresentation
    let plans: ClassPlans
    private var lastPlan: ClassPlan?

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - plans: The plans of the classes.
    ///   - dataRepresentation: How binary data is shown.
    ///   - isSmall: Whether the payload will probably be short; a long one takes more memory as it grows.
    init(plans: ClassPlans, dataRepresentation: DataRepresentation, isSmall: Bool = false) {
        self.plans = plans
        self.dataRepresentation = dataRepresentation
        output = JSONOutput(capacity: isSmall ? Self.smallCapacity : 4096)
    }

    // MARK: - Payloads

    mutating func writeRead(type: String, objects: [ReadObject]) throws(SerializationError) {
        output.append("{\"type\":")
        try write(text: type, className: type)
        output.append(",\"value\":")
        let start = output.count
        try writeMembers(objects)
        output.close(from: start, Self.openingBracket, Self.closingBracket)
        output.append("}")
    }

    /// Writes objects with a comma before each.
    mutating func write(members objects: ArraySlice<ReadObject>) throws(SerializationError) {
        for object in objects {
            output.append(",")
            try write(object)
        }
    }

    mutating func writeSearch(type: String, _ terms: SearchTerms) throws(SerializationError) {
        output.append("{\"type\":")
        try write(text: type, className: type)
        output.append(",\"value\":[],\"where\":")
        let start = output.count
        if let collection = terms.collection {
            output.append(",\"collection\":")
            try write(text: collection, className: type)
        }
        if let predicate = terms.predicate {
            output.append(",\"predicate\":")
            try write(text: predicate, className: type)
        }
        if !terms.sort.isEmpty { try write(terms.sort, className: type) }
        output.close(from: start, Self.openingBrace, Self.closingBrace)
        output.append("}")
    }

    private mutating func write(_ sort: [SearchTerms.Order], className: String) throws(SerializationError) {
        output.append(",\"sort\":")
        let start = output.count
        for order in sort {
            if order.ascending {
                output.append(",{\"ascending\":true,\"keyPath\":")
            } else {
                output.append(",{\"ascending\":false,\"keyPath\":")
            }
            try write(text: order.keyPath, className: className)
            output.append("}")
        }
        output.close(from: start, Self.openingBracket, Self.closingBracket)
    }

    mutating func writeWrite(_ changes: CommitChanges) throws(SerializationError) {
        let start = output.count
        let classes = changes.classes.sorted { left, right in
            left.shape.name.utf8.lexicographicallyPrecedes(right.shape.name.utf8)
        }
        for change in classes {
            guard !change.deletions.isEmpty || !change.insertions.isEmpty || !change.modifications.isEmpty else {
                continue
            }
            output.append(",")
            try write(text: change.shape.name, className: change.shape.name)
            output.append(":")
            let members = output.count
            try write(",\"deletions\":", change.deletions)
            try write(",\"insertions\":", change.insertions)
            try write(change.modifications)
            output.close(from: members, Self.openingBrace, Self.closingBrace)
        }
        output.close(from: start, Self.openingBrace, Self.closingBrace)
    }

    private mutating func write(_ name: StaticString, _ snapshots: [ObjectSnapshot]) throws(SerializationError) {
        guard !snapshots.isEmpty else { return }
        output.append(name)
        let start = output.count
        for snapshot in snapshots {
            output.append(",")
            try write(snapshot, plan(snapshot), followed: [])
        }
        output.close(from: start, Self.openingBracket, Self.closingBracket)
    }

    private mutating func write(_ modifications: [Modification]) throws(SerializationError) {
        guard !modifications.isEmpty else { return }
        output.append(",\"modifications\":")
        let start = output.count
        for modification in modifications {
            output.append(",{\"newValue\":")
            try writeChange(modification)
            if let parent = modification.parent {
                output.append(",\"parent\":{\"key\":")
                try write(key: parent)
                output.append(",\"type\":")
                try write(text: parent.className, className: parent.className)
                output.append("}")
            }
            output.append("}")
        }
        output.close(from: start, Self.openingBracket, Self.closingBracket)
    }

    /// Writes what changed, then the old value under its name.
    private mutating func writeChange(_ modification: Modification) throws(SerializationError) {
        let plan = try plan(modification.after)
        let old = try self.plan(modification.before)
        guard !plan.isCustom else { return try writeCustomChange(modification) }
        try write(modification.after, plan, changedFrom: modification.before)
        output.append(",\"oldValue\":")
        try write(modification.before, old, followed: [])
    }

    // MARK: - Objects

    /// Writes an object that was read, with the links that were followed in full.
    mutating func write(_ object: ReadObject) throws(SerializationError) {
        try write(object.snapshot, plan(object.snapshot), followed: object.followed)
    }

    /// Writes all properties of an object.
    mutating func write(
        _ snapshot: ObjectSnapshot,
        _ plan: ClassPlan,
        followed: [FollowedProperty]
    ) throws(SerializationError) {
        guard !plan.isCustom else { return try write(custom: ReadObject(snapshot: snapshot, followed: followed)) }
        let omitsData = dataRepresentation == .excluded
        let start = output.count
        for property in plan.properties {
            let slot = property.slot
            if snapshot.isNull(slot) {
                write(name: property, of: plan, room: 4)
                writeMissing(property)
                continue
            }
            // Data that has no place in an event leaves out its key, too.
            if omitsData, isData(property, snapshot) { continue }
            write(name: property, of: plan, room: 40)
            try write(property, snapshot, plan, followed: followed)
        }
        output.close(from: start, Self.openingBrace, Self.closingBrace)
    }

    /// Writes those properties of an object that differ from an earlier state.
    private mutating func write(
        _ snapshot: ObjectSnapshot,
        _ plan: ClassPlan,
        changedFrom before: ObjectSnapshot
    ) throws(SerializationError) {
        let start = output.count
        for property in plan.properties where snapshot.differs(from: before, in: property.slot) {
            write(name: property, of: plan, room: 40)
            if snapshot.isNull(property.slot) {
                writeMissing(property)
            } else {
                // Data that is left out otherwise is null here: the key says that it changed.
                try write(property, snapshot, plan, followed: [])
            }
        }
        output.close(from: start, Self.openingBrace, Self.closingBrace)
    }

    /// Writes the comma, name and colon, and reserves room for a short value.
    @inline(__always)
    private mutating func write(name property: ClassPlan.Property, of plan: ClassPlan, room: Int) {
        plan.names.withUnsafeBytes { names in
            guard let address = names.baseAddress else { return }
            output.reserve(property.nameCount + room + 7)
            output.write(padded: address + property.nameStart, count: property.nameCount)
        }
    }

    /// Writes what stands for a slot without a value: null, or a collection without elements.
    private mutating func writeMissing(_ property: ClassPlan.Property) {
        switch property.form {
        case .array: output.append("[]")
        case .dictionary: output.append("{}")
        default: output.appendNull()
        }
    }

    @inline(__always)
    private func isData(_ property: ClassPlan.Property, _ snapshot: ObjectSnapshot) -> Bool {
        if property.form == .data { return true }
        return property.form == .single && snapshot.packedValue(property.slot)?.tag == .data
    }

    // MARK: - Slots

    /// Writes the value of a slot that has one.
    @inline(__always)
    private mutating func write(
        _ property: ClassPlan.Property,
        _ snapshot: ObjectSnapshot,
        _ plan: ClassPlan,
        followed: [FollowedProperty]
    ) throws(SerializationError) {
        let slot = property.slot
        switch property.form {
        case .int: output.append(snapshot.int(slot))
        case .bool: output.append(snapshot.bool(slot))
        case .float: output.append(Double(snapshot.float(slot)))
        case .double: output.append(snapshot.double(slot))
        case .string:
            guard output.append(quoted: snapshot.bytes(slot)) else {
                throw .invalidText(className: plan.shape.name, property: plan.columnName(slot))
            }
        case .data: write(data: snapshot.bytes(slot))
        case .date: output.append(date: snapshot.double(slot))
        case .objectId: output.append(objectId: snapshot.objectId(slot))
        case .uuid: output.append(uuid: snapshot.uuid(slot))
        case .decimal128: output.append(decimal128: snapshot.decimal128(slot))
        case .single, .array, .dictionary:
            guard let value = snapshot.packedValue(slot) else { return writeMissing(property) }
            let targets = followed.isEmpty ? nil : followed.first { $0.slot == slot }?.targets
            try write(value, PackedContext(plan: plan, property: property, targets: targets))
        }
    }

    // MARK: - Plans

    /// The plan of a snapshot that must be whole.
    private mutating func plan(_ snapshot: ObjectSnapshot) throws(SerializationError) -> ClassPlan {
        let shape = snapshot.shape
        let plan: ClassPlan
        if let last = lastPlan, last.shape === shape {
            plan = last
        } else {
            plan = try plans.plan(shape)
            lastPlan = plan
        }
        guard !plan.needsWholeSnapshots || snapshot.isWhole else {
            throw .incompleteSnapshot(className: shape.name)
        }
        return plan
    }

    // MARK: - Text

    /// Writes a name of the schema.
    mutating func write(text: String, className: String) throws(SerializationError) {
        guard output.append(quoted: text) else { throw .invalidText(className: className, property: text) }
    }
}
