package import AuditFormats
import AuditModel
package import AuditVerifying
package import EventModel

/// An export that somebody asked a server for.
package struct ExportJob: Sendable, Hashable, Codable {
    /// How far it came.
    package enum State: String, Sendable, Hashable, Codable {
        /// Others are made first.
        case waiting
        /// It is being made.
        case running
        /// Its files can be fetched.
        case done
        /// It could not be made.
        case failed
        /// The server ended before it was made.
        case interrupted
    }

    /// The id.
    package let id: String
    /// Who asked for it, and alone sees it.
    package let author: ExportManifest.Author
    /// The formats.
    package let formats: [ExportFormat]
    /// The filter by the names of its parameters.
    package let filter: [String: String]  // TEXT: names of parameters, checked by FilterReading.
    /// Why, in the words of who asked.
    package let reason: String?
    /// When it was asked for.
    package let created: EventInstant
    /// When it is removed.
    package let expires: EventInstant
    /// How far it came.
    package var state = State.waiting
    /// How much of it is made.
    package var progress = ExportProgress()
    /// What kept it from being made, a sentence.
    package var problem: String?
    /// The files; empty until it is done.
    package var files: [ExportManifest.File] = []

    /// Whether it neither waits nor runs any more.
    package var isOver: Bool { state != .waiting && state != .running }
}

/// What a client is told of an export.
package struct ExportStatus: Sendable, Encodable {
    private let job: ExportJob

    package init(_ job: ExportJob) {
        self.job = job
    }

    private enum CodingKeys: String, CodingKey {
        case id, state, formats, filter, reason, created, expires, progress, problem, files
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(job.id, forKey: .id)
        try container.encode(job.state, forKey: .state)
        try container.encode(job.formats, forKey: .formats)
        try container.encode(job.filter, forKey: .filter)
        try container.encodeIfPresent(job.reason, forKey: .reason)
        try container.encode(job.created.description, forKey: .created)
        try container.encode(job.expires.description, forKey: .expires)
        try container.encode(job.progress, forKey: .progress)
        try container.encodeIfPresent(job.problem, forKey: .problem)
        try container.encode(job.files, forKey: .files)
    }
}
