/// Why a witness has not cosigned; the log goes on without it, and asks again.
@nonexhaustive
public enum WitnessConcern: Sendable, Hashable {
    /// There was no whole answer.
    case unreachable(reason: String)
    /// It answered that it cannot, or may not, do anything now.
    case unavailable(status: Int)
    /// It does not know the log.
    case unknownLog
    /// It knows the log by another key.
    case unknownKey
    /// It takes what it was sent for something else.
    case misunderstood
    /// It answered with something that is no answer of a witness.
    case unreadable
    /// It answered without a valid cosignature of the key that it is known by.
    case otherKey
    /// It has cosigned a checkpoint that is larger than the log.
    case ahead(cosigned: UInt64, size: UInt64)
    /// It has cosigned a checkpoint that is not the beginning of this one.
    case otherHistory(size: UInt64)
    /// The database does not have what was published.
    case unprovable

    /// Whether the log is not what it was when the witness saw it: more than a witness that is away.
    public var isContradiction: Bool {
        switch self {
        case .ahead, .otherHistory: true
        default: false
        }
    }
}

extension WitnessConcern: CustomStringConvertible {
    /// What the witness does not do and why, as the rest of a sentence that begins with its name, and what to do.
    public var description: String {
        switch self {
        case .unreachable(let reason): "does not answer: \(reason). It is asked again."
        case .unavailable(let status): "cannot cosign now, and answers with status \(status). It is asked again."
        case .unknownLog: "does not know this log: its operator adds 'logKey' of /api/v1/key."
        case .unknownKey: "knows this log by another key: its operator adds 'logKey' of /api/v1/key."
        case .misunderstood: "does not understand what it is sent: its url may be that of something else."
        case .unreadable: "answers with something that is no cosignature: its url may be that of something else."
        case .otherKey:
            "answers without a cosignature of the key in the configuration: compare it with 'daybook witness show'."
        case .ahead(let cosigned, let size):
            """
            has cosigned \(cosigned) entries of this log, which has \(size) now: the database was put back to an older copy, or somebody \
            else signs with its key.
            """
        case .otherHistory(let size):
            """
            has cosigned another history of this log than the one of \(size) entries: the database was changed, or somebody else signs \
            with its key. Keep the database, the folder 'log' and the witness's file as they are.
            """
        case .unprovable: "cannot be shown how the log grew: the database has less than was published."
        }
    }
}
