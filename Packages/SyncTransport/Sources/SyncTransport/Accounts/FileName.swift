/// Turns any text into a file name, one to one.
enum FileName {
    /// The longest name in bytes; file systems take 255, and a realm's companions add suffixes.
    static let maximumBytes = 200

    /// Returns a relative path that no other text gets, also where names ignore case, and that never leaves its folder.
    ///
    /// Lower-case letters, digits, hyphens and underscores stand for themselves; any other byte becomes `%` and two
    /// digits. A longer name is cut into folders of ``maximumBytes`` each. Empty text becomes `%`.
    ///
    /// - Complexity: O(*n*) in the bytes.
    static func path(_ text: String) -> String {
        var path = ""
        var length = 0
        for byte in text.utf8 {
            let piece = encoded(byte)
            if length + piece.utf8.count > maximumBytes {
                path += "/"
                length = 0
            }
            path += piece
            length += piece.utf8.count
        }
        return path.isEmpty ? "%" : path
    }

    private static func encoded(_ byte: UInt8) -> String {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x5F: String(Unicode.Scalar(byte))
        case ..<16: "%0\(String(byte, radix: 16))"
        default: "%\(String(byte, radix: 16))"
        }
    }
}
