/// What a device keeps of the log of its server, as JSON.
struct LogRecord: Codable, Equatable {
    /// The log's key, as C2SP writes it; of a configured policy the first one.
    var key: String
    /// The server's own key when it named that one; nil where a policy did.
    var server: String?
    /// The log's keys before that one, the oldest first, one of which may have signed the checkpoint; nil when there were none.
    var formerKeys: [String]?
    /// The last checkpoint that was believed, as a signed note; nil before the first.
    var checkpoint: String?
    /// By user, the signature of the receipt whose partition was the last that was found in the log.
    var proven: [String: String] = [:]
}
