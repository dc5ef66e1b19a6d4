import EventModel

/// Why a look at the server's log came to nothing good.
enum LogDoubt: Error, Equatable {
    /// Nobody answered, or somebody in the server's place: no error, as for uploads, and nothing waits for it.
    case away(TransportError)
    /// The log could not be read: nothing is known that was not known before, and nothing waits for it.
    case unchecked(String)
    /// What the server shows as its log is not proven: partitions are kept until it is.
    case unproven(String)
    /// The log contradicts what it signed, which lies in a file.
    case contradicted(TransportError)

    /// The doubt that a failed request leaves; of a session that is over uploads tell.
    init(_ error: TransportError) {
        let isAway = [.unreachable, .unavailable, .unauthorized].contains(error.code)
        self = isAway ? .away(error) : .unchecked("\(error)")
    }

    /// What is reported; nil for what is only logged.
    var error: SyncTransportError? {
        switch self {
        case .away: nil
        case .unchecked(let reason): .logUnchecked(reason: reason)
        case .unproven(let reason): .logUnproven(reason: reason)
        case .contradicted(let error): .untrustedServer(error)
        }
    }
}
