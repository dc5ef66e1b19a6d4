import EventProofs

/// Why a witness does not cosign a checkpoint, as tlog-witness has it.
@nonexhaustive
public enum WitnessRefusal: Sendable, Hashable {
    /// The request has another form, or its old size is beyond the checkpoint's.
    case malformed(String)
    /// The checkpoint is of a log that the witness does not know.
    case unknownOrigin
    /// No key of the log signed the checkpoint.
    case unsigned
    /// The old size is not that of the checkpoint that the witness cosigned last, which is this one.
    case otherSize(known: UInt64)
    /// The checkpoint has the size of the last one and another root: the log shows two histories.
    case otherRoot
    /// The proof does not show that the last checkpoint is the beginning of this one.
    case inconsistent
    /// The witness's clock is behind the time of its last cosignature, and would contradict that.
    case clockBehind
    /// What the witness knows could not be stored, so it says nothing.
    case unstored

    /// The status of the answer.
    public var status: Int {
        switch self {
        case .malformed: 400
        case .unknownOrigin: 404
        case .unsigned: 403
        case .otherSize, .otherRoot: 409
        case .inconsistent: 422
        case .clockBehind: 503
        case .unstored: 500
        }
    }

    /// A sentence that says why.
    public var sentence: String {
        switch self {
        case .malformed(let sentence): sentence
        case .unknownOrigin: "This witness does not know the log; its operator adds it by its key."
        case .unsigned: "No key of the log that this witness knows signed the checkpoint."
        case .otherSize(let known): "The checkpoint that was cosigned last has the size \(known)."
        case .otherRoot: "The checkpoint that was cosigned last has the same size and another root."
        case .inconsistent: "The proof does not show that the last checkpoint is the beginning of this one."
        case .clockBehind: "The clock of this witness is behind its last cosignature; ask again later."
        case .unstored: "The witness could not store the checkpoint, so it does not cosign it."
        }
    }
}
