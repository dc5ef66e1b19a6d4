/// How a key signs notes: the signature types of signed-note that are understood here.
///
/// A signature of any other type comes from a key that nobody here can name, and is passed over as the specification
/// demands. ML-DSA-44 (0x06) is such a one: the cryptography in use has no ML-DSA.
public enum NoteAlgorithm: UInt8, Sendable, Hashable {
    /// Ed25519 over the text of the note.
    case ed25519 = 0x01
    /// Ed25519 over a time and the text of a checkpoint: cosignature/v1 of tlog-cosignature.
    case cosignature = 0x04
}
