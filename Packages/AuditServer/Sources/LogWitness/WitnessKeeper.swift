public import EventModel
public import EventProofs

/// What a witness says to a request.
public struct WitnessReply: Sendable, Hashable {
    /// The status of HTTP.
    public let status: Int
    /// The type of the body.
    public let contentType: String
    /// The body.
    public let body: [UInt8]

    init(_ refusal: WitnessRefusal) {
        status = refusal.status
        if case .otherSize(let known) = refusal {
            contentType = WitnessAnswer.sizeType
            body = WitnessAnswer.bytes(ofSize: known)
        } else {
            contentType = "text/plain; charset=utf-8"
            body = Array("\(refusal.sentence)\n".utf8)
        }
    }

    init(_ signature: NoteSignature) {
        status = 200
        contentType = "text/plain; charset=utf-8"
        body = WitnessAnswer([signature]).bytes
    }
}

/// Runs a witness over its file: one request after another, and what it knows is on the disk before it says anything.
///
/// ```swift
/// let keeper = try WitnessKeeper(WitnessFile(at: path), clock: SystemClock())
/// let reply = await keeper.answer(body)
/// ```
/// Of a crash between the two the witness knows more than it said: whoever asks again with the size that it knows gets the cosignature.
public actor WitnessKeeper {
    private let file: WitnessFile
    private let clock: any EventClock
    private let signer: EdwardsNoteSigner
    private var witness: Witness

    /// The public key.
    public nonisolated var verifierKey: NoteVerifierKey { signer.verifierKey }

    /// Takes up a witness where it ended.
    ///
    /// - Parameters:
    ///   - file: Its file, which nobody else writes to.
    ///   - clock: The clock whose wall time cosignatures state.
    /// - Throws: As ``WitnessFile/contents()``.
    public init(_ file: WitnessFile, clock: any EventClock) throws {
        let contents = try file.contents()
        self.file = file
        self.clock = clock
        signer = contents.signer
        witness = contents.witness
    }

    /// Answers to a request; the disk is written to on the actor, so that the next one waits for it.
    ///
    /// - Parameter body: The body of `add-checkpoint`, at most `WitnessRequest.maximumBytes`.
    /// - Returns: The answer.
    public func answer(_ body: [UInt8]) -> WitnessReply {
        var next = witness
        let decision = next.decide(body, at: clock.now().wall)
        do {
            if next != witness { try file.write(WitnessFile.Contents(signer: signer, witness: next)) }
            witness = next
            switch decision {
            case .refuse(let refusal): return WitnessReply(refusal)
            case .cosign(let checkpoint, let time): return WitnessReply(try checkpoint.cosigned(by: signer, at: time))
            }
        } catch {
            // The file may be the new one or the old one, and the witness goes on from the old one: it has said nothing of the new one.
            return WitnessReply(.unstored)
        }
    }
}
