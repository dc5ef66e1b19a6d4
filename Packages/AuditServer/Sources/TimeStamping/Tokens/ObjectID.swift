import SwiftASN1

/// The numbers that name algorithms and attributes in a time-stamp.
enum ObjectID {
    static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    static let sha384: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 2]
    static let sha512: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 3]

    /// RSA without a hash, which the signer's own hash goes with.
    static let rsa: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 1]
    static let rsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 11]
    static let rsaWithSHA384: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 12]
    static let rsaWithSHA512: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 13]
    static let ecdsaWithSHA256: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 4, 3, 2]
    static let ecdsaWithSHA384: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 4, 3, 3]
    static let ecdsaWithSHA512: ASN1ObjectIdentifier = [1, 2, 840, 10_045, 4, 3, 4]

    /// Signed data of CMS (RFC 5652).
    static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 7, 2]
    /// What a time-stamp says (RFC 3161).
    static let timeStampInfo: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 16, 1, 4]

    static let contentType: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 3]
    static let messageDigest: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 4]
    /// The certificate by SHA-1 (RFC 2634).
    static let signingCertificate: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 16, 2, 12]
    /// The certificate by another hash, SHA-256 unless it says which (RFC 5035).
    static let signingCertificateV2: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 9, 16, 2, 47]
}
