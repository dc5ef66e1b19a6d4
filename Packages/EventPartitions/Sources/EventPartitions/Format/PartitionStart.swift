import EventModel

/// The content of the first frame: what is known when a partition begins.
struct PartitionStart: Codable, Sendable, Hashable {
    /// The partition whose file this begins; the folder may have another name.
    let partition: PartitionID
    /// When the file was made.
    let created: EventInstant
    /// The app whose events these are; missing in files of earlier versions.
    var app: String?
    /// The user whose events these are; missing in files of earlier versions.
    var user: String?
    /// The root of the partition that the same writer sealed before; earlier versions wrote it here, now the seal alone says it.
    var previousRoot: Digest?
    /// The damaged partition whose readable events are stored here again, or nil.
    var salvaged: ObjectId?

    /// Whose events these are; nil when the file does not say.
    var owner: EventOwner? {
        guard let app, let user else { return nil }
        return EventOwner(app: app, user: user)
    }
}
