import AuditModel
package import TimeStamping

extension TimeStampTrust {
    /// Trusts the certificates in a file.
    ///
    /// - Parameter path: A file of certificates in PEM.
    /// - Throws: ``CommandError/missingFile(_:)``, or ``CommandError/unreadable(path:reason:)`` when it holds none.
    package init(reading path: String) throws {
        guard let bytes = try PrivateFile.read(path, upTo: Self.maximumBytes) else {
            throw CommandError.missingFile(path)
        }
        do throws(TimeStampError) {
            try self.init(pem: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CommandError.unreadable(path: path, reason: "it holds no certificate as PEM")
        }
    }
}
