import EventModel
import EventProofs

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The form in which a witness is stored: JSON, with notes and keys as the texts that they are elsewhere.
struct WitnessRecord: Codable {
    private struct Log: Codable {
        let origin: String
        let keys: [String]
        let cosignedSeconds: UInt64
        let last: String?
        /// Two notes.
        let contradiction: [String]?
    }

    private static let currentVersion = 1

    private let version: Int
    private let name: String
    /// The secret half of the key in hexadecimal digits.
    private let key: String
    private let logs: [Log]

    init(_ signer: EdwardsNoteSigner, _ witness: Witness) {
        func text(_ signed: SignedCheckpoint) -> String { String(decoding: signed.note.bytes, as: UTF8.self) }
        version = Self.currentVersion
        name = signer.verifierKey.name.string
        key = Hexadecimal.text(signer.rawRepresentation)
        logs = witness.logs.map { log in
            Log(
                origin: log.origin.string,
                keys: log.keys.map(\.description),
                cosignedSeconds: log.cosignedSeconds,
                last: log.last.map(text),
                contradiction: log.contradiction.map { [text($0.cosigned), text($0.shown)] }
            )
        }
    }

    /// The file.
    var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        }
    }

    /// What it says.
    ///
    /// - Throws: `ProofError` or ``WitnessError`` when it is of another version, or a note or key of it is none.
    func contents() throws -> WitnessFile.Contents {
        func read(_ text: String) throws -> SignedCheckpoint { try SignedCheckpoint(Array(text.utf8)) }
        guard version == Self.currentVersion, let secret = Hexadecimal.bytes(key) else {
            throw WitnessError.unusable(reason: "It is of another version.")
        }
        let signer = try EdwardsNoteSigner(name: ExactText(name), algorithm: .cosignature, rawRepresentation: secret)
        var witness = Witness()
        for log in logs {
            for key in log.keys { try witness.add(NoteVerifierKey(parsing: key), origin: ExactText(log.origin)) }
            guard let place = witness.logs.indices.last, witness.logs[place].origin == ExactText(log.origin) else {
                throw WitnessError.unusable(reason: "A log is there twice, or has no key.")
            }
            // Beyond that no clock of the house counts.
            guard log.cosignedSeconds <= UInt64(Int64.max) / 1_000_000 else {
                throw WitnessError.unusable(reason: "A time is beyond all clocks.")
            }
            witness.logs[place].cosignedSeconds = log.cosignedSeconds
            witness.logs[place].last = try log.last.map(read)
            if let notes = log.contradiction, notes.count == 2 {
                witness.logs[place].contradiction = WitnessedLog.Contradiction(
                    cosigned: try read(notes[0]),
                    shown: try read(notes[1])
                )
            }
        }
        return WitnessFile.Contents(signer: signer, witness: witness)
    }
}
