import ArgumentParser
import AuditModel
import EventModel
import EventProofs
import TimeStamping

extension VerifyCommand {
    /// Who cosigned a checkpoint, and when by their own clock.
    struct Cosigned: Encodable {
        let witness: String
        let time: EventTime

        init(_ signature: VerifiedSignature) {
            witness = signature.key.name.string
            time = EventTime(instant: signature.cosigned)
        }

        /// The line for people.
        var line: String { "  seen by \(PlainText.cut(witness, 300)) at \(time), by its own clock" }
    }

    /// A time in ISO 8601; nil where it is beyond what a calendar has.
    struct EventTime: Encodable, CustomStringConvertible {
        let instant: EventInstant?

        var description: String { instant.map { "\($0)" } ?? "a time that no calendar has" }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(instant.map { "\($0)" })
        }
    }

    private struct Result: Encodable {
        let partition: String
        let app: String
        let user: String
        let events: UInt64
        let root: Digest
        let publicKey: String
        let received: String
        let origin: String
        let index: UInt64
        let size: UInt64
        let cosignatures: [Cosigned]
        /// The time before which the entry was in the log, by an authority of time; nil when nobody asked.
        var existedBefore: String?
        /// Who says so.
        var authority: String?
        let verified = true
    }

    private struct Failure: Encodable {
        let verified = false
        let problems: [String]
    }

    /// Verifies the proof of one partition in a log, from its file alone.
    ///
    /// - Throws: `ExitCode` 1 when anything is wrong, and ``CommandError`` when there is no such file.
    package func verify(logProof path: String) async throws {
        guard let bytes = try PrivateFile.read(path, upTo: LogProof.maximumBytes) else {
            throw CommandError.missingFile(path)
        }
        let policy = try logProof.policy()
        let (trust, token) = (try timeStamps.trust(), try readTimeStamp())
        var result: Result
        do {
            let proof = try LogProof(bytes)
            result = try verified(proof, by: policy)
            if let trust, let token {
                let stamp = try await trust.verify(TimeStampToken(token), over: proof.signed.note.bytes)
                (result.existedBefore, result.authority) = ("\(stamp.latest)", stamp.authority)
            }
        } catch {
            if json {
                StandardOutput.write(try EventLine.lines([Failure(problems: ["\(error)"])]))
            } else {
                StandardOutput.write("\(error)\n1 problem found\n")
            }
            throw ExitCode(1)
        }
        if json { return StandardOutput.write(try EventLine.lines([result])) }
        show(result)
    }

    /// Reads the file of a time-stamp; nil when none is named.
    private func readTimeStamp() throws -> [UInt8]? {
        guard let path = timeStamps.timeStamp else { return nil }
        guard let bytes = try PrivateFile.read(path, upTo: TimeStampToken.maximumBytes) else {
            throw CommandError.missingFile(path)
        }
        return bytes
    }

    private func verified(_ proof: LogProof, by policy: WitnessPolicy) throws(ProofError) -> Result {
        guard let leaf = proof.extra else {
            throw .malformedLogProof(reason: "it has no extra data, where the entry stands in a proof of Daybook")
        }
        let accepted = try proof.verify(leaf, by: policy)
        let entry = try PartitionLogEntry(index: proof.index, canonicalBytes: leaf)
        try entry.seal.verifySignature()
        return Result(
            partition: entry.partition.value,
            app: entry.app,
            user: entry.user,
            events: entry.seal.count,
            root: entry.seal.root,
            publicKey: Hexadecimal.text(entry.seal.publicKey),
            received: "\(entry.received)",
            origin: accepted.checkpoint.origin.string,
            index: entry.index,
            size: accepted.checkpoint.size,
            cosignatures: accepted.cosignatures.map(Cosigned.init)
        )
    }

    /// What a checkpoint is worth without witnesses.
    static let noWitness =
        "  no witness was named: whoever has the key of the log could have made this for you alone"

    private func show(_ result: Result) {
        func plain(_ text: String) -> String { PlainText.cut(text, 300) }
        var lines = [
            "partition \(result.partition) of \(plain(result.user)) in \(plain(result.app)): \(result.events) events",
            "  root     \(result.root)",
            "  sealed   by the device with the key \(result.publicKey)",
            "  received \(result.received), by the server's clock",
            "entry \(result.index) of \(result.size) in the log \(plain(result.origin))",
        ]
        lines += result.cosignatures.map(\.line)
        if let time = result.existedBefore, let authority = result.authority {
            lines.append("  existed before \(time), by the time-stamp of \(plain(authority))")
        }
        if result.cosignatures.isEmpty { lines.append(Self.noWitness) }
        StandardOutput.write(lines.map { "\($0)\n" }.joined() + "1 partition verified\n")
    }
}
