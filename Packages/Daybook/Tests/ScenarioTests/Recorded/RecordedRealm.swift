import Daybook
import ObjectStoreTesting
import Synchronization
import Testing

/// A realm in a folder of its own that records beside itself: the real store, recorder, encoder and event files.
///
/// Confined to the thread that made it, as the realm is.
final class RecordedRealm {
    let file: TemporaryRealm
    let realm: Realm
    let events: Events

    /// Opens an empty realm.
    init(
        _ types: [ObjectBase.Type] = Record.types,
        _ configuration: EventConfiguration = EventConfiguration()
    ) throws {
        file = try TemporaryRealm(types) { $0.eventConfiguration = configuration }
        realm = try file.open()
        events = try #require(realm.events)
    }

    /// Opens an empty realm whose recorder has a clock and limits of the test's choice.
    init(_ types: [ObjectBase.Type] = Record.types, recording: InjectedRecording) throws {
        file = try TemporaryRealm(types) { $0.attachment = recording }
        realm = try file.open()
        events = try #require(realm.events)
    }

    /// Opens a realm that holds objects.
    convenience init(holding objects: [Object], _ configuration: EventConfiguration = EventConfiguration()) throws {
        try self.init(Record.types, configuration)
        try realm.write { realm.add(objects) }
    }

    var recorder: Recorder { events.recorder(of: realm) }

    // MARK: - Recording

    /// Does something within one scope, commits it and waits until it is stored.
    ///
    /// - Throws: What the body throws, or the error that the completion got.
    func record(_ activity: String = "scope", _ body: () throws -> Void) throws {
        let scope = events.beginScope(activity: activity)
        try body()
        try commit(scope)
    }

    /// Commits a scope and waits until it is stored.
    ///
    /// - Throws: The error that the completion got.
    func commit(_ scope: Events.Scope) throws {
        let outcome = Outcome()
        scope.commit { outcome.set($0) }
        recorder.waitUntilIdle()
        try outcome.get()
    }

    /// Records an event of the program's own and waits until it is stored.
    ///
    /// - Throws: The error that the completion got.
    func recordEvent(_ activity: String, eventType: String? = nil, data: String? = nil) throws {
        let outcome = Outcome()
        events.recordEvent(activity: activity, eventType: eventType, data: data) { outcome.set($0) }
        recorder.waitUntilIdle()
        try outcome.get()
    }

    // MARK: - Reading back

    /// The events of all files.
    func stored() throws -> [AuditEvent] { try RecordedFiles(below: file.folder.path).events }

    /// The kinds and payloads of all stored events.
    func lines() throws -> [String] { try RecordedFiles(below: file.folder.path).lines }

    /// How many partition files there are.
    func fileCount() throws -> Int { try PartitionFiles.find(below: file.folder.path).count }
}

/// What a completion got.
final class Outcome: Sendable {
    private let calls = Mutex<[(any Error)?]>([])

    /// Takes what a completion is called with.
    func set(_ error: (any Error)?) { calls.withLock { $0.append(error) } }

    /// Throws the error of the completion, which must have been called exactly once.
    func get() throws {
        let calls = calls.withLock { $0 }
        try #require(calls.count == 1)
        if let error = calls[0] { throw error }
    }
}

extension Events {
    /// The recorder of the realm, which only the realm shows.
    fileprivate func recorder(of realm: Realm) -> Recorder {
        guard let recorder = realm.observer as? Recorder else { preconditionFailure("A realm with events records.") }
        return recorder
    }
}

/// The line of a read of some objects.
func read(_ type: String, _ objects: String...) -> String {
    #"read {"type":"\#(type)","value":[\#(objects.joined(separator: ","))]}"#
}

/// The line of a write to one class.
func write(
    _ type: String,
    deletions: String = "",
    insertions: String = "",
    modifications: [(new: String, old: String)] = []
)
    -> String
{
    #"write {\#(change(type, deletions: deletions, insertions: insertions, modifications: modifications))}"#
}

/// What a write says of one class.
func change(
    _ type: String,
    deletions: String = "",
    insertions: String = "",
    modifications: [(new: String, old: String)] = []
) -> String {
    var parts: [String] = []
    if !deletions.isEmpty { parts.append(#""deletions":[\#(deletions)]"#) }
    if !insertions.isEmpty { parts.append(#""insertions":[\#(insertions)]"#) }
    if !modifications.isEmpty {
        let pairs = modifications.map { #"{"newValue":\#($0.new),"oldValue":\#($0.old)}"# }
        parts.append(#""modifications":[\#(pairs.joined(separator: ","))]"#)
    }
    return #""\#(type)":{\#(parts.joined(separator: ","))}"#
}
