import ArgumentParser
import AuditModel
import AuditVerifying
import EventModel

extension VerifyCommand {
    private struct Result: Encodable {
        let events: UInt64
        let partitions: UInt64
        let verified: Bool
        /// The key that signed the export; nil when none did.
        let publicKey: String?
        let remarks: [String]
        let problems: [String]
    }

    /// Verifies an export from its files alone.
    ///
    /// - Throws: `ExitCode` 1 when anything is wrong, and ``CommandError`` when there is no export.
    package func verify(export folder: String) throws {
        guard ExportVerification.isExport(folder) else {
            throw CommandError.unreadable(path: folder, reason: "it is no folder of an export")
        }
        var verification = ExportVerification(
            folder: folder,
            key: try serverKey(),
            keptHead: try treeHead.flatMap(TreeHeadFile.read)
        )
        try verification.run { StandardOutput.progress("\($0) events") }
        StandardOutput.progress("")
        let (problems, publicKey) = (verification.problems, verification.publicKey.map { Hexadecimal.text($0) })
        if json {
            let result = Result(
                events: verification.events,
                partitions: verification.partitions,
                verified: problems.isEmpty,
                publicKey: publicKey,
                remarks: verification.remarks,
                problems: problems
            )
            StandardOutput.write(try EventLine.lines([result]))
        } else {
            StandardOutput.write((verification.remarks + problems).map { "\($0)\n" }.joined())
            if let publicKey, key == nil {
                StandardOutput.write("signed with the key \(publicKey): compare it with the server's, or give --key\n")
            }
            StandardOutput.write(
                problems.isEmpty
                    ? "\(verification.events) events, \(verification.partitions) partitions verified\n"
                    : "\(problems.count) \(problems.count == 1 ? "problem" : "problems") found\n"
            )
        }
        if !problems.isEmpty { throw ExitCode(1) }
    }

    /// The key of the server, as digits or in a file.
    func serverKey() throws -> [UInt8]? {
        guard let key else { return nil }
        let text: String
        if let bytes = try PrivateFile.read(key) {
            text =
                String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init)
                ?? ""
        } else {
            text = key
        }
        guard let bytes = Hexadecimal.bytes(text), bytes.count == SigningKey.byteCount else {
            throw CommandError.malformedServerKey(key)
        }
        return bytes
    }
}
