/// Why a simulation could not go on, or what happened to a connection in it.
public enum LoadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The connection broke.
    case connectionLost
    /// The device has no network now.
    case offline
    /// The device has no user any more.
    case signedOut
    /// A device waited too long.
    case hangs(device: Int)
    /// The server answered a question of the auditor with this status.
    case auditRefused(status: Int)

    /// What happened, in a sentence.
    public var description: String {
        switch self {
        case .connectionLost: "The connection broke."
        case .offline: "The device has no network."
        case .signedOut: "The device has no user."
        case .hangs(let device): "Device \(device) waits for something that does not come."
        case .auditRefused(let status): "The server refused the auditor with status \(status)."
        }
    }
}
