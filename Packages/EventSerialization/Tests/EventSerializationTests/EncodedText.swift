import EventModel
import EventSerialization
import EventSerializationTesting
import Testing

/// The payload of a read of these objects, as text.
func readText(
    _ objects: [ReadObject],
    type: String = "Holder",
    data: DataRepresentation = .excluded
) throws -> String {
    var bytes: [UInt8] = []
    try JSONSnapshotEncoder(dataRepresentation: data).appendRead(type: type, objects: objects, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}

/// The one object of a read of this snapshot, as text.
func objectText(_ snapshot: ObjectSnapshot, data: DataRepresentation = .excluded) throws -> String {
    let text = try readText([ReadObject(snapshot: snapshot)], data: data)
    let (prefix, suffix) = (#"{"type":"Holder","value":["#, "]}")
    try #require(text.hasPrefix(prefix) && text.hasSuffix(suffix))
    return String(text.dropFirst(prefix.count).dropLast(suffix.count))
}

/// The payload of a write, as text.
func writeText(_ classes: [ClassChanges], data: DataRepresentation = .excluded) throws -> String {
    var bytes: [UInt8] = []
    let changes = CommitChanges(versionBefore: 1, versionAfter: 2, classes: classes)
    try JSONSnapshotEncoder(dataRepresentation: data).appendWrite(changes, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}

/// What a modification's `newValue` is when one property of a holder of the kind goes from one value to another.
func newValueText(
    _ kind: PropertyShape.Kind,
    _ name: String,
    _ before: Value,
    _ after: Value,
    data: DataRepresentation = .excluded
) throws -> String {
    let shape = ClassShape.sampleHolder(of: kind)
    let modification = Modification(
        before: .sample(shape, version: 1, [name: before]),
        after: .sample(shape, version: 2, [name: after])
    )
    return try newValueText(modification, data: data)
}

/// What a modification's `newValue` is.
func newValueText(_ modification: Modification, data: DataRepresentation = .excluded) throws -> String {
    let shape = modification.after.shape
    let text = try writeText([ClassChanges(shape: shape, modifications: [modification])], data: data)
    let prefix = #"{"\#(shape.name)":{"modifications":[{"newValue":"#
    try #require(text.hasPrefix(prefix))
    let rest = text.dropFirst(prefix.count)
    let end = try #require(rest.firstRange(of: #","oldValue":"#))
    return String(rest[..<end.lowerBound])
}
