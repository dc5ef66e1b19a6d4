import EventModel
import EventModelTesting
import SyncTransport
import Testing

@Suite("The state machine of a partition's upload")
struct PartitionUploadTests {
    typealias Action = PartitionUpload.Action

    static let limits = UploadLimits(maximumStretchBytes: 100)

    private func machine(fraction: Double = 1) -> PartitionUpload {
        PartitionUpload(partition: Sample.partition(), limits: Self.limits) { fraction }
    }

    /// A machine that has sent a stretch.
    private func sending(_ stretch: PartitionStretch, of summary: PartitionSummary = Sample.summary())
        -> PartitionUpload
    {
        var upload = machine()
        _ = upload.begin(summary)
        _ = upload.didRead(stretch)
        return upload
    }

    // MARK: - Beginning

    @Test(
        "an upload begins after the last proven event, or rests when nothing is left",
        arguments: [
            (Sample.summary(count: 4), Action.read(from: 1, maximumBytes: 100)),
            (Sample.summary(count: 4, acknowledged: 2), .read(from: 3, maximumBytes: 100)),
            (Sample.summary(count: 4, acknowledged: 4), .rest),
            (Sample.summary(count: 0), .rest),
            (Sample.summary(count: 4, isSealed: true, acknowledged: 4), .read(from: 5, maximumBytes: 100)),
            (Sample.summary(count: 4, isSealed: true, acknowledged: 4, isSealAcknowledged: true), .delete),
            (
                Sample.summary(count: 4, isSealed: true, acknowledged: 3, isSealAcknowledged: true),
                .read(from: 4, maximumBytes: 100)
            ),
            (Sample.summary(count: 0, isSealed: true), .read(from: 1, maximumBytes: 100)),
            (Sample.summary(count: 4, quarantineReason: "conflict"), .rest),
        ]
    )
    func begins(summary: PartitionSummary, expected: Action) {
        var upload = machine()

        #expect(upload.begin(summary) == expected)
    }

    // MARK: - Reading

    @Test("what was read is sent")
    func sendsWhatWasRead() {
        var upload = machine()
        _ = upload.begin(Sample.summary())

        #expect(upload.didRead(Sample.stretch(from: 1, count: 2)) == .send(Sample.stretch(from: 1, count: 2)))
    }

    @Test("an upload rests when it has read to the end of an open partition")
    func restsAtEnd() {
        var upload = sending(Sample.stretch(from: 1, count: 4))
        _ = upload.didReceive(Sample.proof(through: 4))
        #expect(upload.didAcknowledge() == .read(from: 5, maximumBytes: 100))

        #expect(upload.didRead(Sample.stretch(from: 5, count: 0)) == .rest)
    }

    @Test("a partition that holds less than its summary promises is reported and tried again")
    func missingEvents() {
        var upload = machine()
        _ = upload.begin(Sample.summary(count: 4))

        let action = upload.didRead(Sample.stretch(from: 1, count: 0))

        let reason = "it holds no event or seal where its summary promises one"
        #expect(
            action
                == .wait(
                    .milliseconds(500),
                    report: .partitionFailed(Sample.partition(), reason: reason)
                )
        )
    }

    @Test("a partition that cannot be read is reported and looked at again after a pause")
    func readFails() {
        var upload = machine()
        _ = upload.begin(Sample.summary())

        let failed = upload.didFailLocally(reason: "EIO")

        #expect(
            failed == .wait(.milliseconds(500), report: .partitionFailed(Sample.partition(), reason: "EIO"))
        )
        #expect(upload.didWait(Sample.summary(acknowledged: 1)) == .read(from: 2, maximumBytes: 100))
    }

    // MARK: - Proofs

    @Test("a proof is offered to the source before anything else")
    func offersProof() {
        var upload = sending(Sample.stretch(from: 1, count: 2))

        #expect(upload.didReceive(Sample.proof(through: 2)) == .acknowledge(Sample.proof(through: 2)))
        #expect(upload.provenThrough == 0)
    }

    @Test("after an accepted proof the next events are read")
    func readsOn() {
        var upload = sending(Sample.stretch(from: 1, count: 2))
        _ = upload.didReceive(Sample.proof(through: 2))

        #expect(upload.didAcknowledge() == .read(from: 3, maximumBytes: 100))
        #expect(upload.provenThrough == 2)
    }

    @Test("a proof of a part of what was sent resumes there at once")
    func partOfStretch() {
        var upload = sending(Sample.stretch(from: 1, count: 4))
        _ = upload.didReceive(Sample.proof(through: 3))

        #expect(upload.didAcknowledge() == .read(from: 4, maximumBytes: 100))
    }

    @Test("a proof below what was sent resumes there after a pause, and proven events are not counted twice")
    func lowerProof() {
        var upload = sending(Sample.stretch(from: 4, count: 1), of: Sample.summary(acknowledged: 3))
        _ = upload.didReceive(Sample.proof(through: 1))

        #expect(upload.didAcknowledge() == .wait(.milliseconds(500), report: nil))
        #expect(upload.provenThrough == 3)
        #expect(upload.didWait(Sample.summary(acknowledged: 1)) == .read(from: 2, maximumBytes: 100))
    }

    @Test("a sealed partition is deleted when the proof covers the seal")
    func deletesSealed() {
        var upload = sending(
            Sample.stretch(from: 1, count: 4, isSealed: true),
            of: Sample.summary(isSealed: true)
        )
        _ = upload.didReceive(Sample.proof(through: 4, isSealed: true))

        #expect(upload.didAcknowledge() == .delete)
        #expect(upload.didDelete() == .rest)
    }

    @Test(
        "a sealed partition is not deleted while the proof lacks the seal or an event",
        arguments: [
            (Sample.proof(through: 4, isSealed: false), Action.read(from: 5, maximumBytes: 100)),
            (Sample.proof(through: 3, isSealed: true), .read(from: 4, maximumBytes: 100)),
            (Sample.proof(through: 0, isSealed: true), .wait(.milliseconds(500), report: nil)),
        ]
    )
    func keepsUnprovenSealed(proof: DurabilityProof, expected: Action) {
        var upload = sending(
            Sample.stretch(from: 1, count: 4, isSealed: true),
            of: Sample.summary(isSealed: true)
        )
        _ = upload.didReceive(proof)

        #expect(upload.didAcknowledge() == expected)
    }

    /// Asked again, a server that is restored from a backup in between could name a loss that the disk fails to note.
    @Test("a proof of the whole that answers an earlier stretch leads to deletion without another question")
    func wholeProofOfEarlierStretch() {
        var upload = sending(Sample.stretch(from: 1, count: 2), of: Sample.summary(isSealed: true))
        _ = upload.didReceive(Sample.proof(through: 4, isSealed: true))

        #expect(upload.didAcknowledge() == .delete)
    }

    @Test("a seal that the server does not take is sent again after a pause")
    func sealIsNotTaken() {
        var upload = sending(
            Sample.stretch(from: 5, count: 0, isSealed: true),
            of: Sample.summary(isSealed: true, acknowledged: 4)
        )
        _ = upload.didReceive(Sample.proof(through: 4, isSealed: false))

        #expect(upload.didAcknowledge() == .wait(.milliseconds(500), report: nil))
    }

    @Test("an event that arrives while its partition is sealed keeps the seal's count in charge")
    func sealedMeanwhile() {
        var upload = sending(Sample.stretch(from: 1, count: 5, isSealed: true), of: Sample.summary(count: 4))
        #expect(!upload.isCurrent)
        _ = upload.didReceive(Sample.proof(through: 5, isSealed: true))

        #expect(upload.didAcknowledge() == .delete)
    }

    @Test("a proof with another root sets the partition aside")
    func wrongRoot() {
        var upload = sending(Sample.stretch(from: 1, count: 2))
        let proof = DurabilityProof(
            partition: Sample.partition(),
            durableThrough: 2,
            root: Sample.root(through: 1),
            isSealed: false
        )
        .receipted
        _ = upload.didReceive(proof)

        let reason = "the server's proof does not agree with it: rootMismatch"
        #expect(
            upload.didRefuseProof(reason: "rootMismatch")
                == .quarantine(.partitionQuarantined(Sample.partition(), reason: reason))
        )
    }

    @Test("a proof with our root that cannot be noted is no conflict")
    func cannotNoteProof() {
        var upload = sending(Sample.stretch(from: 1, count: 2))
        _ = upload.didReceive(Sample.proof(through: 2))

        #expect(
            upload.didRefuseProof(reason: "ENOSPC")
                == .wait(.milliseconds(500), report: .partitionFailed(Sample.partition(), reason: "ENOSPC"))
        )
    }

    @Test("a proof of another partition is an answer that the protocol does not know")
    func foreignProof() {
        var upload = sending(Sample.stretch(from: 1, count: 2))
        let proof = DurabilityProof(
            partition: Sample.partition(2),
            durableThrough: 2,
            root: Sample.root(through: 2),
            isSealed: false
        )

        let error = TransportError(.malformedAnswer, message: "")
        #expect(
            upload.didReceive(proof)
                == .wait(.milliseconds(500), report: .partitionDelayed(Sample.partition(), error), for: .server)
        )
    }

    // MARK: - Failures

    @Test(
        "each code has its remedy",
        arguments: [
            (TransportError.Code.unreachable, nil, .network),
            (.unavailable, nil, .server),
            (
                .malformedAnswer, SyncTransportError.partitionDelayed(Sample.partition(), failure(.malformedAnswer)),
                .server
            ),
            (.unauthorized, .partitionDelayed(Sample.partition(), failure(.unauthorized)), .signIn),
        ] as [(TransportError.Code, SyncTransportError?, PartitionUpload.Pause)]
    )
    func retries(code: TransportError.Code, report: SyncTransportError?, pause: PartitionUpload.Pause) {
        var upload = sending(Sample.stretch(from: 1, count: 2))

        #expect(upload.didFail(failure(code)) == .wait(.milliseconds(500), report: report, for: pause))
        #expect(upload.didWait(Sample.summary()) == .read(from: 1, maximumBytes: 100))
    }

    @Test("an error that lasts is reported once, and again after progress")
    func reportsOnce() {
        var upload = sending(Sample.stretch(from: 1, count: 2))
        let report = SyncTransportError.partitionDelayed(Sample.partition(), failure(.unauthorized))

        #expect(upload.didFail(failure(.unauthorized)) == .wait(.milliseconds(500), report: report, for: .signIn))
        _ = upload.didWait(Sample.summary())
        _ = upload.didRead(Sample.stretch(from: 1, count: 2))
        #expect(upload.didFail(failure(.unauthorized)) == .wait(.seconds(1), report: nil, for: .signIn))
        _ = upload.didWait(Sample.summary())
        _ = upload.didRead(Sample.stretch(from: 1, count: 2))
        _ = upload.didReceive(Sample.proof(through: 2))
        _ = upload.didAcknowledge()
        _ = upload.didRead(Sample.stretch(from: 3, count: 2))
        #expect(upload.didFail(failure(.unauthorized)) == .wait(.milliseconds(500), report: report, for: .signIn))
    }

    @Test("conflict and rejection set the partition aside", arguments: [TransportError.Code.conflict, .rejected])
    func quarantines(code: TransportError.Code) {
        var upload = sending(Sample.stretch(from: 1, count: 2))

        #expect(
            upload.didFail(failure(code))
                == .quarantine(.partitionQuarantined(Sample.partition(), reason: "It failed. (\(code))"))
        )
    }

    @Test(
        "a refused user and a refused schema stop the partition",
        arguments: [TransportError.Code.forbidden, .invalidSchemaChange]
    )
    func stops(code: TransportError.Code) {
        var upload = sending(Sample.stretch(from: 1, count: 2))

        #expect(
            upload.didFail(failure(code)) == .stop(.partitionStopped(Sample.partition(), failure(code)))
        )
    }

    @Test("a stretch that is too large is halved until one event is left, which is set aside")
    func splits() {
        var upload = sending(Sample.stretch(from: 1, count: 4))

        #expect(upload.didFail(failure(.tooLarge)) == .read(from: 1, maximumBytes: 2))
        _ = upload.didRead(Sample.stretch(from: 1, count: 2))
        #expect(upload.didFail(failure(.tooLarge)) == .read(from: 1, maximumBytes: 1))
        _ = upload.didRead(Sample.stretch(from: 1, count: 1))
        #expect(
            upload.didFail(failure(.tooLarge))
                == .quarantine(
                    .partitionQuarantined(
                        Sample.partition(),
                        reason: "event 1 alone is larger than the server takes"
                    )
                )
        )
    }

    @Test("the smaller size stays in force after progress")
    func splitLasts() {
        var upload = sending(Sample.stretch(from: 1, count: 4))
        _ = upload.didFail(failure(.tooLarge))
        _ = upload.didRead(Sample.stretch(from: 1, count: 2))
        _ = upload.didReceive(Sample.proof(through: 2))

        #expect(upload.didAcknowledge() == .read(from: 3, maximumBytes: 2))
    }

    @Test("a deletion that fails is reported and tried again after a pause")
    func deletionFails() {
        let summary = Sample.summary(isSealed: true, acknowledged: 4)
        var upload = sending(Sample.stretch(from: 5, count: 0, isSealed: true), of: summary)
        _ = upload.didReceive(Sample.proof(through: 4, isSealed: true))
        #expect(upload.didAcknowledge() == .delete)

        #expect(
            upload.didFailLocally(reason: "EBUSY")
                == .wait(.milliseconds(500), report: .partitionFailed(Sample.partition(), reason: "EBUSY"))
        )
        let proven = Sample.summary(isSealed: true, acknowledged: 4, isSealAcknowledged: true)
        #expect(upload.didWait(proven) == .delete)
    }

    @Test("an upload is over when its partition is gone after a pause")
    func gone() {
        var upload = sending(Sample.stretch(from: 1, count: 2))
        _ = upload.didFail(failure(.unreachable))

        #expect(upload.didWait(nil) == .rest)
    }

    @Test("the server's pause is kept when it is longer than ours, up to an hour")
    func retryAfter() {
        var upload = sending(Sample.stretch(from: 1, count: 2))

        let busy = TransportError(.unavailable, message: "", retryAfter: .seconds(120))
        #expect(upload.didFail(busy) == .wait(.seconds(120), report: nil, for: .server))
        _ = upload.didWait(Sample.summary())
        _ = upload.didRead(Sample.stretch(from: 1, count: 2))
        let absurd = TransportError(.unavailable, message: "", retryAfter: .seconds(1_000_000))
        #expect(upload.didFail(absurd) == .wait(.seconds(3600), report: nil, for: .server))
    }
}

private func failure(_ code: TransportError.Code) -> TransportError {
    TransportError(code, message: "It failed.")
}
