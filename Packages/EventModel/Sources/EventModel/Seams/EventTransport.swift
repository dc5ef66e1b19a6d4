#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Carries a stretch of a partition to the server.
///
/// Safe to call from any task, several partitions at once, one call at a time for each partition. Sending the same
/// stretch again is harmless: the server knows every event by partition and sequence. Cancelling the task cancels the
/// request; the server may still have stored the stretch.
public protocol EventTransport: Sendable {
    /// Sends a stretch and returns the server's proof.
    ///
    /// - Throws: ``TransportError`` with a code that says what to do next; nothing may be assumed to be stored.
    func send(_ stretch: PartitionStretch) async throws(TransportError) -> DurabilityProof
}

/// Why a stretch could not be proven to be stored.
public struct TransportError: Error, Sendable {
    /// The kind of failure, which decides what happens next.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String
        /// What the upload does after it.
        public let remedy: Remedy

        /// Creates a code of a transport's own; codes with the same name and remedy are equal.
        public init(_ description: String, remedy: Remedy) {
            self.description = description
            self.remedy = remedy
        }

        /// The server cannot be reached; it may be down or the device offline.
        public static let unreachable = Code("unreachable", remedy: .retry)
        /// The server cannot serve now, or somebody else answered in its place.
        public static let unavailable = Code("unavailable", remedy: .retry)
        /// The token is missing, wrong or expired.
        public static let unauthorized = Code("unauthorized", remedy: .refreshToken)
        /// The user may not write this partition.
        public static let forbidden = Code("forbidden", remedy: .stop)
        /// The body is larger than the server takes.
        public static let tooLarge = Code("tooLarge", remedy: .split)
        /// The server holds other events at these sequences.
        public static let conflict = Code("conflict", remedy: .quarantine)
        /// The collection is missing or does not know a metadata column: "invalid schema change".
        public static let invalidSchemaChange = Code("invalidSchemaChange", remedy: .stop)
        /// The server refuses the stretch for another reason.
        public static let rejected = Code("rejected", remedy: .quarantine)
        /// The server signs with another key than the one that is known of it, or with a wrong signature, or not at all.
        public static let untrustedServer = Code("untrustedServer", remedy: .stop)
        /// What is between here and the server refuses the size of the body: a 413 that is not the server's own.
        public static let bodyRefused = Code("bodyRefused", remedy: .splitOrRetry)
        /// What the server signed could not be kept on this device.
        public static let notKept = Code("notKept", remedy: .retry)
        /// The answer is not one that the protocol knows.
        public static let malformedAnswer = Code("malformedAnswer", remedy: .retry)
    }

    /// What the upload does after a failure; none of it deletes anything.
    public enum Remedy: Sendable, Hashable {
        case retry
        case refreshToken
        case split
        case splitOrRetry
        case quarantine
        case stop
    }

    /// The kind of failure.
    public let code: Code
    /// A sentence for people, without secrets or user data.
    public let message: String
    /// How long the server asks to wait, or nil.
    public let retryAfter: Duration?

    /// Creates an error; the message is shown to people, so it has no secrets and no data of a user.
    public init(_ code: Code, message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }
}

extension TransportError: Equatable {
    /// Errors are equal when their codes are.
    public static func == (left: TransportError, right: TransportError) -> Bool {
        left.code == right.code
    }
}

extension TransportError: CustomStringConvertible {
    /// The message with its code.
    public var description: String { "\(message) (\(code))" }
}

extension TransportError: LocalizedError {
    /// The message without its code, for apps that show errors to people.
    public var errorDescription: String? { message }
}
