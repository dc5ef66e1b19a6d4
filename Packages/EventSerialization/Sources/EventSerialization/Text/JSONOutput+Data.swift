import EventModel

import struct Crypto.SHA256

// Binary data, which JSON has no word for, as text.
extension JSONOutput {
    private static let base64Digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Appends the SHA-256 digest of bytes as 64 hexadecimal digits in quotes.
    mutating func append(digestOf bytes: UnsafeRawBufferPointer) {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        reserve(66)
        write(0x22)
        for byte in hash.finalize() { write(hexadecimal: byte) }
        write(0x22)
    }

    /// Appends bytes in base 64 by RFC 4648, with padding, in quotes.
    mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        reserve((bytes.count + 2) / 3 * 4 + 2)
        write(0x22)
        let digits = Self.base64Digits.utf8Start
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(3 - group.count) * 8
            for place in 0..<4 {
                let digit = Int(bits >> UInt32(18 - place * 6) & 0x3F)
                write(place <= group.count ? digits[digit] : 0x3D)
            }
        }
        write(0x22)
    }
}

extension PayloadWriter {
    /// Writes binary data as the app chose; kept out of the loop over properties, which would get slower.
    @inline(never)
    mutating func write(data bytes: UnsafeRawBufferPointer) {
        switch dataRepresentation {
        case .excluded: output.appendNull()
        case .sha256: output.append(digestOf: bytes)
        case .base64: output.append(base64: bytes)
        }
    }
}
