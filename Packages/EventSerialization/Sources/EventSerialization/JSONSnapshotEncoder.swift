public import EventModel

/// Writes snapshots as the JSON that the Event Library defines, straight from their packed bytes.
///
/// The text is compact UTF-8 with the keys of every object sorted by their bytes, so the same snapshot always gives the
/// same text. One encoder serves any number of realms and threads; it keeps the names of each class as JSON.
///
/// ```swift
/// var payload: [UInt8] = []
/// try JSONSnapshotEncoder().appendRead(type: "Person", objects: objects, to: &payload)
/// // {"type":"Person","value":[{"_id":"62b38b3c10846041166f5deb","name":"Anthony"}]}
/// ```
public struct JSONSnapshotEncoder: SnapshotEncoder {
    private let plans = ClassPlans()
    private let dataRepresentation: DataRepresentation

    /// Creates an encoder.
    ///
    /// - Parameter dataRepresentation: How binary data is shown; not at all by default.
    public init(dataRepresentation: DataRepresentation = .excluded) {
        self.dataRepresentation = dataRepresentation
    }

    /// Appends `{"type":"Class","value":[...]}`.
    ///
    /// - Throws: ``SerializationError`` when an object cannot be written; nothing is appended then.
    /// - Complexity: O(*n*) in the bytes of the snapshots.
    public func appendRead(type: String, objects: [ReadObject], to bytes: inout [UInt8]) throws {
        var writer = PayloadWriter(plans: plans, dataRepresentation: dataRepresentation, isSmall: objects.count <= 1)
        try writer.writeRead(type: type, objects: objects)
        bytes.append(contentsOf: writer.output.bytes)
    }

    /// Appends `{"type":"Class","value":[],"where":{"predicate":"name == 'Ann'","sort":[{"ascending":true,"keyPath":"name"}]}}`.
    ///
    /// What was not asked for is left out of `where`; `collection` in it names a collection whose elements were searched.
    ///
    /// - Throws: ``SerializationError`` when a text is not UTF-8; nothing is appended then.
    public func appendSearch(type: String, terms: SearchTerms, to bytes: inout [UInt8]) throws {
        var writer = PayloadWriter(plans: plans, dataRepresentation: dataRepresentation)
        try writer.writeSearch(type: type, terms)
        bytes.append(contentsOf: writer.output.bytes)
    }

    /// Appends `{"Class":{"deletions":[...],"insertions":[...],"modifications":[...]}}`, without what is empty.
    ///
    /// - Throws: ``SerializationError`` when an object cannot be written; nothing is appended then.
    /// - Complexity: O(*n*) in the bytes of the snapshots.
    public func appendWrite(_ changes: CommitChanges, to bytes: inout [UInt8]) throws {
        var writer = PayloadWriter(plans: plans, dataRepresentation: dataRepresentation)
        try writer.writeWrite(changes)
        bytes.append(contentsOf: writer.output.bytes)
    }
}
