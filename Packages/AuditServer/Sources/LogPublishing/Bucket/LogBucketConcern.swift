/// Why the published log is not in its bucket as it should be; the log goes on without it, and copying is tried again.
@nonexhaustive
public enum LogBucketConcern: Sendable, Hashable {
    /// There was no whole answer.
    case unreachable(reason: String)
    /// It does not do what it is asked; the code is its own word for why.
    case refused(status: Int, code: String?)
    /// Its checkpoint is none, is of another log, or another key signed it.
    case foreign
    /// Its checkpoint has more entries than the log.
    case ahead(copied: UInt64, size: UInt64)
    /// Its checkpoint is not the beginning of the log.
    case otherHistory(size: UInt64)
    /// A file of the log is there with other bytes.
    case otherObject(name: String)
    /// What is to be copied cannot be read.
    case unreadable(reason: String)

    /// Whether the bucket has something that contradicts the log: more than a bucket that is away.
    public var isContradiction: Bool {
        switch self {
        case .foreign, .ahead, .otherHistory, .otherObject: true
        default: false
        }
    }
}

extension LogBucketConcern: CustomStringConvertible {
    /// What is wrong, in a sentence, and what to do.
    public var description: String {
        switch self {
        case .unreachable(let reason): "The bucket of the log does not answer: \(reason). It is tried again."
        case .refused(let status, let code):
            "The bucket of the log answers with status \(status)\(code.map { " (\($0))" } ?? ""): \(Self.remedy(status, code))"
        case .foreign:
            """
            The bucket of the log has the checkpoint of another log, or of another key, so nothing is copied there: give this log \
            another prefix (logBucket.prefix).
            """
        case .ahead(let copied, let size):
            """
            The bucket of the log has \(copied) entries, and the database has \(size), so nothing is copied there: the database was put \
            back to an older copy, or entries were removed. Keep the bucket as it is, and put the newer copy back.
            """
        case .otherHistory(let size):
            """
            The bucket of the log has another history of \(size) entries than the database, so nothing is copied there: the database \
            was changed, or somebody else signs with its key. Keep the bucket and the folder 'log' as they are, and compare them.
            """
        case .otherObject(let name):
            """
            The bucket of the log has something else as \(name), which stays as it is: somebody who has a key of the bucket changed \
            it. Keep it, give the server another key, and remove the object.
            """
        case .unreadable(let reason): "The log cannot be copied into its bucket: \(reason)"
        }
    }

    private static func remedy(_ status: Int, _ code: String?) -> String {
        switch code {
        case "NoSuchBucket": "make the bucket, or mend logBucket.bucket."
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken":
            "it does not take the key of logBucket.keyFile; start the server again with another one."
        case "RequestTimeTooSkewed": "the server's clock is off. Set it by NTP."
        case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect",
            "IllegalLocationConstraintException":
            "its region is another one; mend logBucket.region and logBucket.url."
        default:
            switch status {
            case 401, 403: "the key has to be allowed to get, put, remove and list objects of this prefix."
            case 300...399, 404, 405: "its url or its name may be that of something else."
            default: "it is tried again."
            }
        }
    }
}
