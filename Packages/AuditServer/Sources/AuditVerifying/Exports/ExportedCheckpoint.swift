public import EventModel
public import EventProofs

/// The checkpoint of the server's log in an export, whose signature holds.
public struct ExportedCheckpoint: Sendable, Hashable {
    /// What the log signed, and which of the witnesses that the caller named cosigned it when.
    public let cosigned: CosignedCheckpoint
    /// The key that signed it.
    public let key: NoteVerifierKey
    /// The names in which other lines were made, of keys that the caller did not name: nothing is known of these.
    public let unknownNames: [ExactText]

    /// Describes a checkpoint that a policy accepted.
    init(_ cosigned: CosignedCheckpoint, by policy: WitnessPolicy, _ key: NoteVerifierKey) {
        self.cosigned = cosigned
        self.key = key
        let known = policy.logKeys + policy.witnesses
        let others = cosigned.signed.note.signatures.filter { line in
            !known.contains { $0.id == line.keyID && $0.name == line.name }
        }
        unknownNames = Set(others.map(\.name)).sorted { $0.string.utf8.lexicographicallyPrecedes($1.string.utf8) }
    }
}

/// The tree of the server's log that the partitions of an export are proven in.
package struct ExportedTree: Sendable, Hashable {
    let size: UInt64
    let root: Digest
}
