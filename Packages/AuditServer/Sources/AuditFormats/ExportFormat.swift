package import AuditModel

/// A form in which events are handed to others.
public enum ExportFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// Comma-separated values by RFC 4180, for people with spreadsheets.
    case csv
    /// One JSON object in each line, the shape of `daybook events --json`.
    case jsonl
    /// One AuditEvent of HL7 FHIR R4 in each line.
    case fhir
    /// One event of OCSF's class Datastore Activity (6005) in each line.
    case ocsf

    /// The version of the mapping that this code writes; an older verifier cannot compare the texts.
    ///
    /// Version 2 says where a realm was in sync. What version 1 had to say is written as before, so that its exports are checked, too.
    public static let version = 2

    /// The name of the file in an export.
    public var fileName: String {
        switch self {
        case .csv: "events.csv"
        case .jsonl: "events.jsonl"
        case .fhir: "events.fhir.ndjson"
        case .ocsf: "events.ocsf.jsonl"
        }
    }

    /// The media type of the file.
    public var mediaType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8; header=present"
        case .jsonl, .ocsf: "application/x-ndjson"
        case .fhir: "application/fhir+ndjson"
        }
    }

    /// Returns what stands before the first event.
    ///
    /// - Parameter columns: The metadata columns that have a place of their own.
    /// - Returns: The bytes with the line feed; none for a format without a first line.
    package func header(_ columns: [String]) -> [UInt8] {
        self == .csv ? EventCSV(columns: columns).header : []
    }

    /// Writes one event: a line, or a record of several lines.
    ///
    /// - Parameters:
    ///   - stored: The event as whoever exports may see it.
    ///   - columns: The metadata columns that have a place of their own.
    /// - Returns: The bytes with the line feed.
    /// - Throws: What encoding throws.
    package func record(_ stored: StoredEvent, _ columns: [String]) throws -> [UInt8] {
        switch self {
        case .csv: EventCSV(columns: columns).row(stored)
        case .jsonl: try EventLine.lines([EventLine(stored)])
        case .fhir: FHIRAuditEvent(stored).line
        case .ocsf: DatastoreActivity(stored).line
        }
    }
}
