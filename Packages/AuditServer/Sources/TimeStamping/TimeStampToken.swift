public import EventModel
import SwiftASN1

/// A time-stamp as an authority gives it out: signed data of CMS (RFC 3161, 2.4.2).
///
/// Its form is checked, its signature is not: that does ``TimeStampTrust/verify(_:over:answering:)``.
///
/// ```swift
/// let token = try TimeStampToken(bytesOfFile)
/// ```
public struct TimeStampToken: Sendable {
    /// How long an answer of an authority, or a file of one, may be.
    public static let maximumBytes = 65_536
    /// How many certificates come with a time-stamp at most.
    static let maximumCertificates = 16

    let info: TimeStampInfo
    /// The bytes of what the time-stamp says.
    let content: [UInt8]
    let certificates: [TokenCertificate]
    let signer: TokenSigner

    /// The time that it states; nobody has checked who states it.
    public var claimedTime: EventInstant { info.time }

    /// The latest time that it allows by its own word, as ``TimeStamp/latest``; nobody has checked who states it.
    public var claimedLatest: EventInstant { TimeStamp.latest(info.time, info.accuracy) }

    /// The common name in the certificate that it came with, as it stands there; anybody can make one in any name.
    public var claimedAuthority: String { signer.certificate.commonName }

    /// Reads a time-stamp: the whole answer of an authority, as files `.tsr` hold it, or the time-stamp in it alone.
    ///
    /// - Parameter bytes: At most ``maximumBytes``.
    /// - Throws: ``TimeStampError/refused(status:reason:)`` when the answer is that there is none, and what is wrong with the form.
    public init(_ bytes: [UInt8]) throws(TimeStampError) {
        guard bytes.count <= Self.maximumBytes else { throw .unreadable(reason: "it is too long") }
        let node = try ASN1Node.parsing(bytes[...])
        var outer = try DERReader(node, "its frame")
        // Signed data begins with what it is, an answer with a status.
        guard outer.next(if: .objectIdentifier) == nil else {
            try self.init(signedData: node)
            return
        }
        try Self.check(outer.next())
        guard let token = outer.next() else { throw .unreadable(reason: "the answer has no time-stamp") }
        try self.init(signedData: token)
    }

    /// Throws unless the status is that a time-stamp was granted.
    private static func check(_ node: ASN1Node?) throws(TimeStampError) {
        var reader = try DERReader(node, "its status")
        let status: Int = try reader.value()
        // Granted, with modifications or without.
        guard status != 0, status != 1 else { return }
        var words: [String] = []
        if let texts = reader.next(if: .sequence) {
            var list = try DERReader(texts, "its status")
            words = list.rest().prefix(4).compactMap { (try? ASN1UTF8String(derEncoded: $0)).map { String($0) } }
        }
        let reason = String(words.joined(separator: "; ").prefix(200))
        throw .refused(status: status, reason: reason.isEmpty ? "it does not say why" : reason)
    }

    private init(signedData node: ASN1Node) throws(TimeStampError) {
        var outer = try DERReader(node, "its frame")
        guard try outer.value(ASN1ObjectIdentifier.self) == ObjectID.signedData else {
            throw .unreadable(reason: "it is not signed data")
        }
        var wrapper = try DERReader(outer.next(), as: .tagged(0), "its signed data")
        var data = try DERReader(wrapper.next(), "its signed data")
        _ = try data.value(Int.self)
        _ = data.next(if: .set)
        var encapsulated = try DERReader(data.next(), "its content")
        guard try encapsulated.value(ASN1ObjectIdentifier.self) == ObjectID.timeStampInfo else {
            throw .unreadable(reason: "its content is something else")
        }
        var explicit = try DERReader(encapsulated.next(), as: .tagged(0), "its content")
        content = Array(try explicit.value(ASN1OctetString.self).bytes)
        info = try TimeStampInfo(content[...])
        var found: [ASN1Node] = []
        if let node = data.next(if: .tagged(0)) {
            var list = try DERReader(node, as: .tagged(0), "its certificates")
            found = list.rest()
        }
        guard found.count <= Self.maximumCertificates else { throw .unreadable(reason: "it has too many certificates") }
        certificates = found.compactMap { TokenCertificate($0) }
        _ = data.next(if: .tagged(1))
        var signers = try DERReader(data.next(), as: .set, "its signer")
        guard let node = signers.next(), signers.next() == nil else {
            throw .unreadable(reason: "one authority signs a time-stamp")
        }
        signer = try TokenSigner(node, among: certificates)
    }
}
