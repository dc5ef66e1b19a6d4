import EventModel
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which authorities of time somebody believes: those behind whom a certificate stands that they have from elsewhere.
///
/// ```swift
/// let trust = try TimeStampTrust(pem: "-----BEGIN CERTIFICATE-----…")
/// let stamp = try await trust.verify(TimeStampToken(file), over: checkpoint)
/// ```
public struct TimeStampTrust: Sendable {
    /// How long a file of certificates may be.
    public static let maximumBytes = 1_048_576

    private let roots: [Certificate]

    /// Trusts the certificates in a text.
    ///
    /// - Parameter pem: Certificates in PEM, as authorities publish them; other texts between them are passed over.
    /// - Throws: ``TimeStampError/noCertificates(reason:)`` when there is none, or one cannot be read.
    public init(pem: String) throws(TimeStampError) {
        do {
            let documents = try PEMDocument.parseMultiple(pemString: pem)
            roots = try documents.filter { $0.discriminator == Certificate.defaultPEMDiscriminator }
                .map { try Certificate(pemDocument: $0) }
        } catch {
            throw .noCertificates(reason: "the file is not PEM")
        }
        if roots.isEmpty { throw .noCertificates(reason: "the file has none as PEM") }
    }

    /// Verifies a time-stamp of some bytes.
    ///
    /// Certificates have to be valid at the time of the time-stamp, and not now: it proves for as long as the algorithms hold. Whether one
    /// was revoked is not asked.
    ///
    /// - Parameters:
    ///   - token: The time-stamp.
    ///   - bytes: What it is to be of.
    ///   - request: The request that it is to answer; nil, the default, for one that somebody else asked for.
    /// - Returns: What it proves.
    /// - Throws: ``TimeStampError``, the first thing that is wrong.
    public func verify(
        _ token: TimeStampToken,
        over bytes: [UInt8],
        answering request: TimeStampRequest? = nil
    ) async throws(TimeStampError) -> TimeStamp {
        let info = token.info
        guard info.imprint == info.hash.hash(bytes) else { throw .otherBytes }
        if let request {
            // As an integer of ASN.1, which has a zero in front of a set high bit.
            let digits = info.nonce.map { $0.drop { $0 == 0 } }
            guard digits?.elementsEqual(request.nonce.bigEndianBytes.drop { $0 == 0 }) == true else {
                throw .otherRequest
            }
        }
        let signer = token.signer
        guard signer.messageDigest == signer.hash.hash(token.content), signer.isSigned else { throw .invalidSignature }
        let certificate = signer.certificate
        if let reason = certificate.unfitness { throw .unfitCertificate(reason: reason) }
        guard await isTrusted(certificate, with: token.certificates, at: info.time) else {
            throw .untrusted(authority: certificate.name)
        }
        return TimeStamp(
            time: info.time,
            accuracy: info.accuracy,
            authority: certificate.name,
            serial: Hexadecimal.text(info.serial)
        )
    }

    private func isTrusted(
        _ leaf: TokenCertificate,
        with others: [TokenCertificate],
        at time: EventInstant
    ) async -> Bool {
        let date = Date(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
        var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
            RFC5280Policy(fixedExpiryValidationTime: date)
            PurposePolicy()
        }
        let result = await verifier.validate(
            leaf: leaf.certificate,
            intermediates: CertificateStore(others.map(\.certificate))
        )
        if case .validCertificate = result { return true }
        return false
    }
}

/// Answers for the extension of purposes, which is read before.
private struct PurposePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [.X509ExtensionID.extendedKeyUsage]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult { .meetsPolicy }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] { (0..<8).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}
