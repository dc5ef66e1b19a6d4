public import EventModel

extension ObjectSnapshot {
    /// A snapshot with these values, by the Swift names of the properties; all others are null.
    ///
    /// - Precondition: Every name is a property of the shape, and its value is of the property's kind.
    public static func sample(
        _ shape: ClassShape,
        key: Int64 = 1,
        version: UInt64 = 1,
        isWhole: Bool = true,
        _ values: [String: Value]
    ) -> ObjectSnapshot {
        var writer = SnapshotWriter(shape: shape, chunkByteCount: 256)
        writer.begin(key: key, version: version, whole: isWhole)
        for (name, value) in values {
            guard let slot = shape.slot(named: name) else {
                preconditionFailure("Class '\(shape.name)' has no property '\(name)'.")
            }
            writer.set(slot, value)
        }
        return writer.finish()
    }

    /// The person of the Event Library's own examples.
    public static func samplePerson(
        key: Int64 = 1,
        version: UInt64 = 1,
        id: ObjectId = ObjectId("62b38b3c10846041166f5deb"),
        name: String = "Anthony",
        employeeId: Int64 = 2,
        userId: String? = nil,
        partition: String = ""
    ) -> ObjectSnapshot {
        sample(
            .samplePerson,
            key: key,
            version: version,
            [
                "_id": .objectId(id),
                "name": .string(name),
                "employeeId": .int(employeeId),
                "userId": userId.map { .string($0) } ?? .null,
                "_partition": .string(partition),
            ]
        )
    }

    /// An embedded address.
    public static func sampleAddress(street: String? = nil, city: String? = "Bern") -> ObjectSnapshot {
        sample(
            .sampleAddress,
            key: 0,
            ["street": street.map { .string($0) } ?? .null, "city": city.map { .string($0) } ?? .null]
        )
    }
}

extension ReadObject {
    /// The read of an object with followed links, by the Swift names of the properties.
    ///
    /// - Precondition: Every name is a property of the snapshot's class.
    public static func sample(_ snapshot: ObjectSnapshot, following links: [String: [ReadObject]] = [:]) -> ReadObject {
        let followed = links.map { name, targets in
            guard let slot = snapshot.shape.slot(named: name) else {
                preconditionFailure("Class '\(snapshot.shape.name)' has no property '\(name)'.")
            }
            let byKey = Dictionary(targets.map { ($0.snapshot.key, $0) }) { first, _ in first }
            return FollowedProperty(slot: slot, targets: byKey)
        }
        return ReadObject(snapshot: snapshot, followed: followed)
    }
}

extension SnapshotWriter {
    /// Stores a value in the form that its slot has.
    fileprivate mutating func set(_ slot: Int, _ value: Value) {
        guard value != .null else { return }
        if shape.properties[slot].isPacked {
            return setPacked(slot) { $0.append(value) }
        }
        switch value {
        case .bool(let value): set(slot, bool: value)
        case .int(let value): set(slot, int: value)
        case .float(let value): set(slot, float: value)
        case .double(let value): set(slot, double: value)
        case .string(let value): set(slot, string: value)
        case .data(let value): value.withUnsafeBytes { setBytes(slot, $0) }
        case .date(let value): set(slot, date: value)
        case .objectId(let value): set(slot, objectId: value)
        case .uuid(let value): set(slot, uuid: value)
        case .decimal128(let value): set(slot, decimal128: value)
        case .null, .link, .list, .dictionary, .object:
            preconditionFailure("A single slot of class '\(shape.name)' cannot hold a collection.")
        }
    }
}
