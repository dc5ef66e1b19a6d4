import Crypto
import SwiftASN1

/// What a signer signs besides the hash of the content: that it is a time-stamp, and with which certificate.
struct SignedAttributes {
    let messageDigest: [UInt8]
    private let certificate: ASN1Node?
    private let certificateV2: ASN1Node?

    /// Reads the attributes.
    ///
    /// - Throws: ``TimeStampError/unreadable(reason:)`` when one that has to be there is missing, or one is there twice.
    init(_ node: ASN1Node) throws(TimeStampError) {
        var attributes = try DERReader(node, as: .tagged(0), "the signed attributes")
        var values: [ASN1ObjectIdentifier: ASN1Node] = [:]
        for node in attributes.rest() {
            var attribute = try DERReader(node, "a signed attribute")
            let name: ASN1ObjectIdentifier = try attribute.value()
            var set = try DERReader(attribute.next(), as: .set, "a signed attribute")
            guard let value = set.next(), values.updateValue(value, forKey: name) == nil else {
                throw .unreadable(reason: "a signed attribute is there twice")
            }
        }
        guard let type = values[ObjectID.contentType], let digest = values[ObjectID.messageDigest] else {
            throw .unreadable(reason: "its signature is not over its content")
        }
        do {
            guard try ASN1ObjectIdentifier(derEncoded: type) == ObjectID.timeStampInfo else {
                throw TimeStampError.unreadable(reason: "what is signed is something else")
            }
            messageDigest = Array(try ASN1OctetString(derEncoded: digest).bytes)
        } catch let error as TimeStampError {
            throw error
        } catch {
            throw .unreadable(reason: "a signed attribute is none")
        }
        certificate = values[ObjectID.signingCertificate]
        certificateV2 = values[ObjectID.signingCertificateV2]
        guard certificate != nil || certificateV2 != nil else {
            throw .unreadable(reason: "it does not say with which certificate it is signed")
        }
    }

    /// Returns whether the attributes name a certificate, by each hash that is there.
    ///
    /// SHA-1 alone names a certificate and is no signature: whoever finds another certificate with the same hash still needs the key of
    /// one that is trusted.
    func names(_ found: TokenCertificate) throws(TimeStampError) -> Bool {
        if let certificate {
            var id = try Self.first(certificate)
            guard try id.value(ASN1OctetString.self).bytes.elementsEqual(Insecure.SHA1.hash(data: found.encoded)) else {
                return false
            }
        }
        guard let certificateV2 else { return true }
        var id = try Self.first(certificateV2)
        var hash = HashAlgorithm.sha256
        if let algorithm = id.next(if: .sequence) { hash = try HashAlgorithm(algorithm.algorithm("a hash")) }
        return try id.value(ASN1OctetString.self).bytes.elementsEqual(hash.hash(found.encoded))
    }

    /// The first certificate of a list: the signer's own; the others are those above it.
    private static func first(_ node: ASN1Node) throws(TimeStampError) -> DERReader {
        var statement = try DERReader(node, "the name of the signer's certificate")
        var list = try DERReader(statement.next(), "the name of the signer's certificate")
        return try DERReader(list.next(), "the name of the signer's certificate")
    }
}
