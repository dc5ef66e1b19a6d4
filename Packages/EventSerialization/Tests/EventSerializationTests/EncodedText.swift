import EventModel
import EventSerialization
import EventSerializationTesting
import Testing

/// The payload of a read of these objects, as text.
func readText(_ objects: [ReadObject], type: String = "Holder") throws -> String {
    var bytes: [UInt8] = []
    try JSONSnapshotEncoder().appendRead(type: type, objects: objects, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}

/// The one object of a read of this snapshot, as text.
func objectText(_ snapshot: ObjectSnapshot) throws -> String {
    let text = try readText([ReadObject(snapshot: snapshot)])
    let (prefix, suffix) = (#"{"type":"Holder","value":["#, "]}")
    try #require(text.hasPrefix(prefix) && text.hasSuffix(suffix))
    return String(text.dropFirst(prefix.count).dropLast(suffix.count))
}

/// The payload of a write, as text.
func writeText(_ classes: [ClassChanges]) throws -> String {
    var bytes: [UInt8] = []
    let changes = CommitChanges(versionBefore: 1, versionAfter: 2, classes: classes)
    try JSONSnapshotEncoder().appendWrite(changes, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}
