import EventModel
import SwiftASN1

/// What a time-stamp says: which bytes, when, for which request (TSTInfo of RFC 3161, 2.4.2).
struct TimeStampInfo: Sendable {
    let hash: HashAlgorithm
    let imprint: [UInt8]
    let serial: [UInt8]
    let time: EventInstant
    /// How far the time may be from the true one, in microseconds; nil where the authority does not say.
    let accuracy: Int64?
    /// The number of the request; nil when it had none.
    let nonce: [UInt8]?

    /// Reads the bytes that are signed.
    init(_ bytes: ArraySlice<UInt8>) throws(TimeStampError) {
        var info = try DERReader(try .parsing(bytes), "what it says")
        guard try info.value(Int.self) == 1 else { throw .unreadable(reason: "its version is not 1") }
        _ = try info.value(ASN1ObjectIdentifier.self)
        var imprint = try DERReader(info.next(), "the hash of what it is of")
        guard let algorithm = imprint.next() else { throw .unreadable(reason: "it does not name its hash") }
        hash = try HashAlgorithm(algorithm.algorithm("the name of its hash"))
        self.imprint = Array(try imprint.value(ASN1OctetString.self).bytes)
        serial = Array(try info.value(ArraySlice<UInt8>.self))
        time = try EventInstant(info.value(GeneralizedTime.self))
        accuracy = try info.next(if: .sequence).map { node throws(TimeStampError) in try Self.accuracy(node) }
        _ = info.next(if: .boolean)
        nonce = try info.next(if: .integer).map { node throws(TimeStampError) in try Self.integer(node) }
    }

    private static func integer(_ node: ASN1Node) throws(TimeStampError) -> [UInt8] {
        do {
            return Array(try ArraySlice<UInt8>(derEncoded: node))
        } catch {
            throw .unreadable(reason: "the number of its request is none")
        }
    }

    private static func accuracy(_ node: ASN1Node) throws(TimeStampError) -> Int64 {
        var reader = try DERReader(node, "its accuracy")
        var microseconds: Int64 = 0
        do {
            if let node = reader.next(if: .integer) { microseconds += try bounded(Int64(derEncoded: node)) * 1_000_000 }
            if let node = reader.next(if: .tagged(0)) {
                microseconds += try bounded(Int64(derEncoded: node, withIdentifier: .tagged(0))) * 1000
            }
            if let node = reader.next(if: .tagged(1)) {
                microseconds += try bounded(Int64(derEncoded: node, withIdentifier: .tagged(1)))
            }
        } catch {
            throw .unreadable(reason: "its accuracy is none")
        }
        return microseconds
    }

    /// Seconds of an accuracy are those of a day at most, and parts of them below a thousand; what is more says nothing.
    private static func bounded(_ value: Int64) throws(TimeStampError) -> Int64 {
        guard (0...86_400).contains(value) else { throw .unreadable(reason: "its accuracy is none") }
        return value
    }
}

extension ASN1Node {
    /// Reads one value in DER.
    ///
    /// - Throws: ``TimeStampError/unreadable(reason:)`` when it is none, or something stands behind it.
    static func parsing(_ bytes: ArraySlice<UInt8>) throws(TimeStampError) -> ASN1Node {
        do {
            return try DER.parse(bytes)
        } catch {
            throw .unreadable(reason: "its bytes are not DER")
        }
    }
}

extension EventInstant {
    /// Takes the time of an authority, with its fractions of a second.
    fileprivate init(_ time: GeneralizedTime) throws(TimeStampError) {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = String(repeating: "0", count: max(0, 4 - "\(time.year)".count)) + "\(time.year)"
        let fraction = String(decoding: time.rawFractionalSeconds.prefix(9), as: UTF8.self)
        let clock = "\(two(time.hours)):\(two(time.minutes)):\(two(time.seconds))"
        let text = "\(year)-\(two(time.month))-\(two(time.day))T\(clock)\(fraction.isEmpty ? "" : ".\(fraction)")Z"
        guard let instant = EventInstant(text) else { throw .unreadable(reason: "its time does not exist") }
        self = instant
    }
}
