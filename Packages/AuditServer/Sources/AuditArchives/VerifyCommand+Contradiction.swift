import ArgumentParser
import AuditModel
import EventModel
import EventProofs

extension VerifyCommand {
    private struct Result: Encodable {
        let proven: Bool
        /// What is proven, or why nothing is, in words.
        let sentences: [String]
    }

    /// Verifies what a device kept of a log that contradicted itself, from its file alone.
    ///
    /// - Throws: `ExitCode` 1 when the file proves nothing, and ``CommandError`` when there is no such file.
    package func verify(contradiction path: String) throws {
        guard let bytes = try PrivateFile.read(path, upTo: LogContradiction.maximumBytes) else {
            throw CommandError.missingFile(path)
        }
        let policy = try logProof.policy()
        let result = Self.result(bytes, policy, serverKeys: try serverKey(key).map { [$0] } ?? [])
        if json {
            StandardOutput.write(try EventLine.lines([result]))
        } else {
            let end = result.proven ? "the contradiction is proven" : "nothing is proven"
            StandardOutput.write((result.sentences + [end]).map { "\($0)\n" }.joined())
        }
        if !result.proven { throw ExitCode(1) }
    }

    private static func result(_ bytes: [UInt8], _ policy: WitnessPolicy, serverKeys: [[UInt8]]) -> Result {
        do throws(ProofError) {
            let contradiction = try LogContradiction(bytes)
            try contradiction.verify(by: policy, serverKeys: serverKeys)
            return Result(proven: true, sentences: sentences(contradiction, policy))
        } catch {
            return Result(proven: false, sentences: ["\(error)"])
        }
    }

    /// Says what is proven, and what is not by this file.
    private static func sentences(_ contradiction: LogContradiction, _ policy: WitnessPolicy) -> [String] {
        let log = "The log \(PlainText.cut(policy.origin.string, 300))"
        switch contradiction {
        case .fork(let smaller, let larger, _, _):
            let (first, second) = (smaller.checkpoint.size, larger.checkpoint.size)
            return [
                first == second
                    ? "\(log) signed two checkpoints of \(first) entries with different roots."
                    : "\(log) signed a checkpoint of \(first) entries and one of \(second) that does not begin with them."
            ]
        case .replacement(let receipt, _, let entry, let proof):
            return [
                "The server signed at \(receipt.issued) that it has the whole partition \(receipt.partition), "
                    + "\(receipt.durableThrough) events with the root \(receipt.root).",
                "\(log) has something else of it: entry \(entry.index) of \(proof.signed.checkpoint.size), "
                    + "\(entry.seal.count) events with the root \(entry.seal.root), by the device's key "
                    + "\(Hexadecimal.text(entry.seal.publicKey)).",
            ]
        case .omission(let receipt, let signed):
            return [
                "The server signed at \(receipt.issued) that it has the whole partition \(receipt.partition).",
                "\(log) was shown with \(signed.checkpoint.size) entries later, and the server did not show where the partition is.",
                "That it is not there is to be looked for in the entries, which a mirror or an auditor has.",
            ]
        }
    }
}
