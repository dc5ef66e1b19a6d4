import AuditModel

/// Checks texts that auditors write.
enum WrittenText {
    /// Returns a text of one line.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is empty, too long or has control characters.
    static func line(_ text: String, _ what: String, upTo bytes: Int) throws(AuditServerError) -> String {
        guard (1...bytes).contains(text.utf8.count), !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .rejected(reason: "\(what) has 1 to \(bytes) bytes and no control characters")
        }
        return text
    }

    /// Returns a text, which may have several lines.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is blank, too long or has other control characters.
    static func lines(_ text: String, _ what: String, upTo bytes: Int) throws(AuditServerError) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard text.utf8.count <= bytes, isPlain, text.contains(where: { !$0.isWhitespace }) else {
            throw .rejected(reason: "\(what) has 1 to \(bytes) bytes and no control characters but line ends")
        }
        return text
    }
}
