public import Foundation

/// Why a realm file cannot be browsed, or a request is not answered.
@nonexhaustive
public enum RealmBrowserError: Error, Sendable, Equatable {
    /// Thrown when nothing can listen on the port.
    case cannotListen(port: Int, reason: String)
    /// Answered to a request that does not have the token.
    case unauthorized
    /// Answered to a request for another host than this machine's own address.
    case foreignHost
    /// Answered to a request that would do something else than read.
    case notReading
    /// Answered where nothing is served.
    case notFound
    /// Answered when a class has no such object.
    case missingObject(className: String)
    /// Answered to a request that lacks something, or has it in no form that is understood.
    case rejected(reason: String)
    /// Answered when too many requests wait already.
    case busy
}

extension RealmBrowserError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "Nothing can listen on port \(port) of 127.0.0.1: \(reason). Choose another one, or 0 for any free one."
        case .unauthorized: "Open the address that the command printed; it has the token that this request lacks."
        case .foreignHost: "Open the address that the command printed; this server has no other name."
        case .notReading: "This server only reads: ask with GET, and without a body."
        case .notFound: "Nothing is served at this path."
        case .missingObject(let className):
            "There is no such object of '\(className)'; it may have been deleted meanwhile."
        case .rejected(let reason): "The request is refused: \(reason)."
        case .busy: "Too many requests wait already; try again in a moment."
        }
    }
}

extension RealmBrowserError: LocalizedError {
    /// The same sentence, for programs that show errors to people.
    public var errorDescription: String? { description }
}
