import SwiftASN1
import X509

/// A certificate that came with a time-stamp; nothing of it is believed yet.
struct TokenCertificate: Sendable {
    let certificate: Certificate
    /// The bytes as they came.
    let encoded: [UInt8]

    /// Reads a certificate; nil when it is of a kind that no authority has.
    init?(_ node: ASN1Node) {
        guard node.identifier == .sequence, let certificate = try? Certificate(derEncoded: node) else { return nil }
        self.certificate = certificate
        encoded = Array(node.encodedBytes)
    }

    /// Who it is of, in a few words.
    var name: String { "\(certificate.subject)" }

    /// The common name in it, as it stands there; empty when it has none.
    var commonName: String {
        let name = certificate.subject.flatMap { $0 }.first { $0.type == .RDNAttributeType.commonName }
        return name.flatMap { String($0.value) } ?? ""
    }

    /// Says why it may not sign time-stamps; nil when it may (RFC 3161, 2.3).
    var unfitness: String? {
        guard let usage = certificate.extensions[oid: .X509ExtensionID.extendedKeyUsage] else {
            return "it is not made for time-stamps"
        }
        guard let purposes = try? ExtendedKeyUsage(usage), Array(purposes) == [.timeStamping] else {
            return "it is not made for time-stamps alone"
        }
        return usage.critical ? nil : "its purpose is not marked as critical"
    }
}
