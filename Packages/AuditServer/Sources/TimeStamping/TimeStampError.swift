#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a time-stamp is not believed.
@nonexhaustive
public enum TimeStampError: Error, Sendable, Equatable {
    /// Bytes are no time-stamp, or no answer of an authority.
    case unreadable(reason: String)
    /// The authority answered that it gives none.
    case refused(status: Int, reason: String)
    /// The time-stamp is of other bytes.
    case otherBytes
    /// The time-stamp answers another request.
    case otherRequest
    /// The time-stamp is signed, or hashed, in a way that this program does not know.
    case unknownAlgorithm(String)
    /// The certificate that signed is not there, or may not sign time-stamps.
    case unfitCertificate(reason: String)
    /// No certificate that is trusted stands behind the one that signed, at the time of the time-stamp.
    case untrusted(authority: String)
    /// The signature is not that of the certificate over what the time-stamp says.
    case invalidSignature
    /// A file of trusted certificates holds none.
    case noCertificates(reason: String)
}

extension TimeStampError: CustomStringConvertible {
    /// What is wrong, in a sentence.
    public var description: String {
        switch self {
        case .unreadable(let reason): "It is no time-stamp of RFC 3161: \(reason)."
        case .refused(let status, let reason): "The authority gives no time-stamp: \(reason) (status \(status))."
        case .otherBytes: "The time-stamp is of other bytes."
        case .otherRequest: "The time-stamp answers another request."
        case .unknownAlgorithm(let name): "The time-stamp is made with \(name), which this program does not know."
        case .unfitCertificate(let reason): "The certificate of the time-stamp is of no use: \(reason)."
        case .untrusted(let authority):
            """
            No certificate that is trusted stands behind the authority '\(authority)' at the time of the time-stamp: name the file of \
            the authority's root certificate.
            """
        case .invalidSignature: "The time-stamp was changed: its signature is not that of its certificate."
        case .noCertificates(let reason): "No certificate to trust: \(reason)."
        }
    }
}

extension TimeStampError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
