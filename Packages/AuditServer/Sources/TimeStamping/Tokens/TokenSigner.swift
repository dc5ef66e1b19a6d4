import Crypto
import SwiftASN1
import X509

/// Who signed a time-stamp, and what: the signer of CMS (RFC 5652, 5.3) with the attributes that a time-stamp has.
struct TokenSigner: Sendable {
    /// The certificate that the signer names.
    let certificate: TokenCertificate
    /// The hash of what the time-stamp says, by the signed attributes.
    let messageDigest: [UInt8]
    let hash: HashAlgorithm
    /// What the signature is over: the attributes as a set of their own.
    private let signedBytes: [UInt8]
    private let signature: [UInt8]
    private let algorithm: Certificate.SignatureAlgorithm

    /// Reads a signer, and finds its certificate.
    ///
    /// - Parameters:
    ///   - node: The signer.
    ///   - certificates: The certificates that came along.
    /// - Throws: ``TimeStampError``, also when the attributes name another certificate than the signer.
    init(_ node: ASN1Node, among certificates: [TokenCertificate]) throws(TimeStampError) {
        var signer = try DERReader(node, "its signer")
        _ = try signer.value(Int.self)
        guard let name = signer.next(), let digest = signer.next(), let attributes = signer.next(if: .tagged(0)),
            let algorithm = signer.next()
        else { throw .unreadable(reason: "its signer is not whole") }
        signature = Array(try signer.value(ASN1OctetString.self).bytes)
        hash = try HashAlgorithm(digest.algorithm("the signer's hash"))
        self.algorithm = try Self.algorithm(algorithm.algorithm("the signer's algorithm"), with: hash)
        certificate = try Self.certificate(name, among: certificates)
        let signed = try SignedAttributes(attributes)
        guard try signed.names(certificate) else {
            throw .unfitCertificate(reason: "the signature is made for another one")
        }
        messageDigest = signed.messageDigest
        // Signed as a set, and sent with a mark instead (RFC 5652, 5.4).
        signedBytes = [0x31] + attributes.encodedBytes.dropFirst()
    }

    /// Whether the certificate's key made the signature.
    var isSigned: Bool {
        certificate.certificate.publicKey.isValidSignature(signature, for: signedBytes, signatureAlgorithm: algorithm)
    }

    private static func algorithm(
        _ algorithm: ASN1ObjectIdentifier,
        with hash: HashAlgorithm
    ) throws(TimeStampError) -> Certificate.SignatureAlgorithm {
        switch (algorithm, hash) {
        case (ObjectID.rsa, .sha256), (ObjectID.rsaWithSHA256, .sha256): .sha256WithRSAEncryption
        case (ObjectID.rsa, .sha384), (ObjectID.rsaWithSHA384, .sha384): .sha384WithRSAEncryption
        case (ObjectID.rsa, .sha512), (ObjectID.rsaWithSHA512, .sha512): .sha512WithRSAEncryption
        case (ObjectID.ecdsaWithSHA256, .sha256): .ecdsaWithSHA256
        case (ObjectID.ecdsaWithSHA384, .sha384): .ecdsaWithSHA384
        case (ObjectID.ecdsaWithSHA512, .sha512): .ecdsaWithSHA512
        default: throw .unknownAlgorithm("the signature \(algorithm)")
        }
    }

    /// The certificate that a signer names, by issuer and number or by the id of its key.
    private static func certificate(
        _ name: ASN1Node,
        among certificates: [TokenCertificate]
    ) throws(TimeStampError) -> TokenCertificate {
        let found: TokenCertificate?
        do {
            if name.identifier == .tagged(0) {
                let id = try ASN1OctetString(derEncoded: name, withIdentifier: .tagged(0)).bytes
                found = certificates.first { certificate in
                    let known = try? certificate.certificate.extensions.subjectKeyIdentifier
                    return known?.keyIdentifier == id
                }
            } else {
                var reader = try DERReader(name, "the name of its certificate")
                let issuer: DistinguishedName = try reader.value()
                let serial: ArraySlice<UInt8> = try reader.value()
                found = certificates.first {
                    $0.certificate.issuer == issuer && $0.certificate.serialNumber.bytes == serial
                }
            }
        } catch let error as TimeStampError {
            throw error
        } catch {
            throw .unreadable(reason: "the name of its certificate is none")
        }
        guard let found else { throw .unfitCertificate(reason: "it did not come with the time-stamp") }
        return found
    }
}
