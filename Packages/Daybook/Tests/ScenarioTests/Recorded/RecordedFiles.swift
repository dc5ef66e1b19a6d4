import Daybook

/// What the event files below a folder hold, read as an auditor reads them.
struct RecordedFiles {
    /// The events of all files, in order.
    let events: [AuditEvent]

    init(below folder: String) throws {
        events = try PartitionFiles.find(below: folder)
            .flatMap { path in
                var reader = try PartitionFileReader(path)
                var events: [AuditEvent] = []
                while let stored = try reader.next() { events.append(stored.event) }
                return events
            }
    }

    /// The kinds and payloads of the events.
    var lines: [String] { events.map { "\($0.event ?? "nil") \($0.dataText ?? "nil")" } }
}
