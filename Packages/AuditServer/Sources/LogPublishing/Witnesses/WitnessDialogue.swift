import EventModel
import EventProofs

/// What a log knows of one witness, and what it makes of an answer: a pure state machine.
///
/// ```
///  request from `known` ──▶ 200: cosigned, `known` is the checkpoint's size
///                      └──▶ 409 with a size: ask again from there, once
///                      └──▶ anything else: a concern
/// ```
struct WitnessDialogue: Sendable, Hashable {
    /// The witness's key.
    let key: NoteVerifierKey
    /// The size of the checkpoint that the witness cosigned last, as far as the log knows; 0 before it told.
    private(set) var known: UInt64 = 0

    /// What an answer comes to.
    enum Outcome: Sendable, Hashable {
        /// The witness cosigned, by this line.
        case cosigned(NoteSignature)
        /// The same checkpoint is to be sent with a proof from ``WitnessDialogue/known``.
        case askAgain
        /// It did not.
        case failed(WitnessConcern)
    }

    init(with key: NoteVerifierKey) {
        self.key = key
    }

    /// Judges an answer to the request that had ``known`` as its old size.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - signed: The checkpoint that was sent.
    /// - Returns: What it comes to.
    mutating func judge(_ response: OutsideResponse, to signed: SignedCheckpoint) -> Outcome {
        let size = signed.checkpoint.size
        switch response.status {
        case 200:
            return cosignature(in: response.body, of: signed)
        case 409 where response.contentType == WitnessAnswer.sizeType:
            guard let told = WitnessAnswer.size(parsing: response.body), told != known else {
                return .failed(.unreadable)
            }
            guard told <= size else { return .failed(.ahead(cosigned: told, size: size)) }
            known = told
            return .askAgain
        case 409, 422:
            return .failed(.otherHistory(size: size))
        case 400:
            return .failed(.misunderstood)
        case 403:
            return .failed(.unknownKey)
        case 404:
            return .failed(.unknownLog)
        case 300..<400, 401, 405..<409, 410..<422:
            return .failed(.unreadable)
        default:
            return .failed(.unavailable(status: response.status))
        }
    }

    private mutating func cosignature(in body: [UInt8], of signed: SignedCheckpoint) -> Outcome {
        do throws(ProofError) {
            // Lines of others are not kept: a witness says what it saw itself.
            let lines = try WitnessAnswer(parsing: body).signatures
                .filter { $0.keyID == key.id && $0.name == key.name }
            guard let line = lines.last else { return .failed(.otherKey) }
            let note = try SignedNote(text: signed.note.text, signatures: [line])
            guard try !note.signatures(by: [key]).isEmpty else { return .failed(.otherKey) }
            known = signed.checkpoint.size
            return .cosigned(line)
        } catch {
            if case .invalidNoteSignature = error { return .failed(.otherKey) }
            return .failed(.unreadable)
        }
    }
}
