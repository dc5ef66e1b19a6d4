package import EventModel

/// Why something is refused that no client of ours does, or too much of what it does: each has one sentence, and is counted.
///
/// Nothing is stored of what is refused, and nothing that was acknowledged is lost by it.
@nonexhaustive
public enum Refusal: String, Sendable, Hashable, CaseIterable {
    /// The seal of a stretch has more than `PartitionSeal.maximumBytes`.
    case longSeal
    /// The seal of a stretch was made for another app or user than the token's.
    case foreignSeal
    /// The activity or the type of an event has more than `AuditEvent.maximumNameBytes`.
    case longName
    /// The metadata of an event has more than `EventMetadata.maximumBytes` in all.
    case longMetadata
    /// Two metadata keys of an event are one text to Unicode and two in bytes.
    case twinKeys
    /// A body comes more slowly than 1 KiB a second, or takes too long as a whole.
    case slowBody
    /// Bodies of this user have their share of the memory, and none of them ended in time.
    case userShare
    /// Bodies have all the memory there is for them, and none of them ended in time.
    case fullRoom
    /// A user has uploaded what a day allows, see `ServerQuotas.userBytesPerDay`.
    case userBytes
    /// The users of an app have uploaded what a day allows, see `ServerQuotas.appBytesPerDay`.
    case appBytes
    /// A user has begun as many partitions as a day allows, see `ServerQuotas.userPartitionsPerDay`.
    case userPartitions
    /// The users of an app have begun as many partitions as a day allows, see `ServerQuotas.appPartitionsPerDay`.
    case appPartitions
    /// An app got as many new users as an hour allows, see `ServerQuotas.newUsersPerHour`.
    case newUsers
    /// Development Mode has made as many metadata columns of an app as it may, see `ServerQuotas.developmentColumns`.
    case developmentColumns
}

extension Refusal {
    /// The code that the answer carries; the client decides by it what to do next.
    package var code: TransportError.Code {
        switch self {
        case .longSeal, .foreignSeal, .longName, .longMetadata, .twinKeys: .rejected
        case .slowBody, .userShare, .fullRoom: .unavailable
        case .userBytes, .appBytes, .userPartitions, .appPartitions, .newUsers: .unavailable
        case .developmentColumns: .invalidSchemaChange
        }
    }

    /// The sentence that the answer carries: what is wrong, and what helps.
    package var sentence: String {
        switch self {
        case .longSeal:
            "The seal has more than \(PartitionSeal.maximumBytes) bytes: continue its ledger in the next seal."
        case .foreignSeal:
            "The seal was made for another app or user: upload it as the user whose events it seals."
        case .longName:
            "An activity or type has more than \(AuditEvent.maximumNameBytes) bytes: put what is long into the payload."
        case .longMetadata:
            "The metadata of an event has more than \(EventMetadata.maximumBytes) bytes: put what is long into the payload."
        case .twinKeys:
            "Two metadata keys of one event are the same text in other bytes: use one of them."
        case .slowBody:
            "The body comes more slowly than 1 KiB a second: send it again when the network is better."
        case .userShare:
            "Too many uploads of this user are under way: wait until some have ended."
        case .fullRoom:
            "Too much is being uploaded at once: try again soon."
        case .userBytes:
            "This user has uploaded what a day allows: wait, or have an operator raise userMegabytesPerDay of the quotas."
        case .appBytes:
            "The users of this app have uploaded what a day allows: wait, or have an operator raise appMegabytesPerDay of the quotas."
        case .userPartitions:
            "This user has begun the partitions of a day: wait, or have an operator raise userPartitionsPerDay of the quotas."
        case .appPartitions:
            "The users of this app have begun the partitions of a day: wait, or have an operator raise appPartitionsPerDay of the quotas."
        case .newUsers:
            "This app got the new users of an hour: wait, or have an operator raise newUsersPerHour of the quotas."
        case .developmentColumns:
            "Development Mode has made the columns that it may: have an administrator add more, or raise developmentColumns of the quotas."
        }
    }
}
