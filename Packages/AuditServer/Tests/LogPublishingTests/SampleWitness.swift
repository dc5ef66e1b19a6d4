import EventModel
import EventModelTesting
import EventProofs
import LogPublishing
import LogWitness
import Synchronization

/// A witness without a network, which tests take away, slow down and let lie.
final class SampleWitness: OutsideTransport {
    private struct State {
        var witness = Witness()
        var isAway = false
        var requests = 0
        var script: [OutsideResponse] = []
    }

    /// That it does not answer.
    struct Away: Error, CustomStringConvertible {
        let description = "nobody is there"
    }

    let signer: EdwardsNoteSigner
    private let clock: ManualClock
    private let state = Mutex(State())

    init(_ number: UInt8, of log: NoteVerifierKey, clock: ManualClock) throws {
        signer = try EdwardsNoteSigner(
            name: ExactText("witness.example/w\(number)"),
            algorithm: .cosignature,
            rawRepresentation: [UInt8](repeating: number, count: 32)
        )
        self.clock = clock
        try state.withLock { try $0.witness.add(log) }
    }

    var address: WitnessAddress {
        get throws { try WitnessAddress(url: "http://\(signer.verifierKey.name)", key: signer.verifierKey) }
    }

    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// How often it was asked.
    var requests: Int { state.withLock { $0.requests } }

    /// Has it give these answers first, without thinking.
    func say(_ answers: [OutsideResponse]) { state.withLock { $0.script += answers } }

    func post(_ body: [UInt8], as contentType: String, to url: String, limit: Int) async throws -> OutsideResponse {
        let time = clock.now().wall
        return try state.withLock { state in
            state.requests += 1
            if state.isAway { throw Away() }
            if !state.script.isEmpty { return state.script.removeFirst() }
            switch state.witness.decide(body, at: time) {
            case .refuse(.otherSize(let known)):
                let size = WitnessAnswer.bytes(ofSize: known)
                return OutsideResponse(status: 409, contentType: WitnessAnswer.sizeType, body: size)
            case .refuse(let refusal):
                return OutsideResponse(
                    status: refusal.status,
                    contentType: "text/plain",
                    body: Array(refusal.sentence.utf8)
                )
            case .cosign(let checkpoint, let time):
                let line = try checkpoint.cosigned(by: signer, at: time)
                return OutsideResponse(status: 200, contentType: "text/plain", body: WitnessAnswer([line]).bytes)
            }
        }
    }
}
