import EventModel
import SyncTransport
import Testing

/// Each state with each input: what comes of it, or that it cannot happen there.
@Suite("Every transition of a partition's upload")
struct PartitionUploadTableTests {
    typealias Action = PartitionUpload.Action
    typealias Input = PartitionUpload.Input

    /// The states, each with a way to it.
    enum State: String, CaseIterable, Sendable {
        case idle
        case reading
        case sending
        case acknowledging
        case waiting
        case deleting
        case over

        /// A machine in the state: it has read, sent or got all four events and the seal of a partition.
        func machine() -> PartitionUpload {
            let limits = UploadLimits(maximumStretchBytes: 100)
            var upload = PartitionUpload(partition: Sample.partition(), limits: limits) { 1 }
            if self == .idle { return upload }
            if self == .over {
                _ = upload.begin(Sample.summary(count: 0))
                return upload
            }
            _ = upload.begin(Sample.summary(isSealed: true))
            if self == .reading { return upload }
            if self == .waiting {
                _ = upload.didFailLocally(reason: "EIO")
                return upload
            }
            _ = upload.didRead(Sample.stretch(from: 1, count: 4, isSealed: true))
            if self == .sending { return upload }
            _ = upload.didReceive(Sample.proof(through: 4, isSealed: true))
            if self == .acknowledging { return upload }
            _ = upload.didAcknowledge()
            return upload
        }
    }

    private static let failedLocally = SyncTransportError.partitionFailed(Sample.partition(), reason: "EIO")

    private static let untrusted = TransportError(.untrustedServer, message: "")

    /// What each input leads to where it can happen; the waiting machine has failed once before.
    private static let table: [State: [Input: Action]] = [
        .idle: [.begin: .read(from: 1, maximumBytes: 100)],
        .reading: [
            .read: .send(Sample.stretch(from: 1, count: 4, isSealed: true)),
            .failLocally: .wait(.milliseconds(500), report: failedLocally, for: .partition),
        ],
        .sending: [
            .receive: .acknowledge(Sample.proof(through: 4, isSealed: true)),
            .fail: .wait(.milliseconds(500), report: nil, for: .network),
        ],
        .acknowledging: [
            .acknowledge: .delete,
            .refuseProof: .wait(.milliseconds(500), report: failedLocally, for: .partition),
        ],
        .waiting: [
            .wait: .read(from: 1, maximumBytes: 100),
            .failLocally: .wait(.seconds(1), report: nil, for: .partition),
        ],
        .deleting: [
            .delete: .rest,
            .refuseDeletion: .stop(.partitionStopped(Sample.partition(), untrusted)),
            .failLocally: .wait(.milliseconds(500), report: failedLocally, for: .partition),
        ],
        .over: [:],
    ]

    private static func perform(_ input: Input, on upload: inout PartitionUpload) -> Action {
        switch input {
        case .begin: upload.begin(Sample.summary(isSealed: true))
        case .read: upload.didRead(Sample.stretch(from: 1, count: 4, isSealed: true))
        case .receive: upload.didReceive(Sample.proof(through: 4, isSealed: true))
        case .fail: upload.didFail(TransportError(.unreachable, message: ""))
        case .acknowledge: upload.didAcknowledge()
        case .refuseProof: upload.didRefuseProof(reason: "EIO")
        case .failLocally: upload.didFailLocally(reason: "EIO")
        case .wait: upload.didWait(Sample.summary(isSealed: true))
        case .delete: upload.didDelete()
        case .refuseDeletion: upload.didRefuseDeletion(untrusted)
        }
    }

    @Test("each state takes exactly the inputs that can happen in it, and answers each", arguments: State.allCases)
    func transitions(state: State) throws {
        let row = try #require(Self.table[state])

        for input in Input.allCases {
            var upload = state.machine()
            #expect(upload.expects(input) == (row[input] != nil), "\(state) with \(input)")
            guard let expected = row[input] else { continue }
            #expect(Self.perform(input, on: &upload) == expected, "\(state) with \(input)")
        }
    }

    @Test("each action leads to a state that takes just the outcomes that the action names")
    func outcomes() throws {
        let expected: [State: Set<Input>] = [
            .idle: [.begin],
            .reading: [.read, .failLocally],
            .sending: [.receive, .fail],
            .acknowledging: [.acknowledge, .refuseProof],
            .waiting: [.wait, .failLocally],
            .deleting: [.delete, .failLocally, .refuseDeletion],
            .over: [],
        ]
        for (state, inputs) in expected {
            let upload = state.machine()
            #expect(Set(Input.allCases.filter { upload.expects($0) }) == inputs, "\(state)")
        }
    }

    @Test("an input that cannot happen is a mistake of the owner")
    func traps() async {
        await #expect(processExitsWith: .failure) {
            var upload = State.over.machine()
            _ = upload.didDelete()
        }
        await #expect(processExitsWith: .failure) {
            var upload = State.idle.machine()
            _ = upload.didFailLocally(reason: "EIO")
        }
    }
}
