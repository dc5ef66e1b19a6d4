import EventModel
import EventModelTesting
import SyncTransport
import Testing

/// One random life of a partition: it grows, is uploaded, meets a bad server and a bad disk, and restarts.
struct UploadProgram {
    let seed: UInt64
    private(set) var device = ModelDevice()
    private(set) var server: ModelServer
    private(set) var restarts = 0
    /// How often noting a proof failed on the disk, which may look like another root.
    private(set) var notingFailures = 0
    private var dice: SeededGenerator
    private var diskFaults: Int
    private let maximumStretchBytes: Int

    init(seed: UInt64, mayLie: Bool) {
        self.seed = seed
        var dice = SeededGenerator(seed: seed)
        server = ModelServer(faults: dice.below(12), mayLie: mayLie)
        diskFaults = dice.below(4)
        maximumStretchBytes = 1 + dice.below(60)
        for _ in 0..<dice.below(20) where !device.isSealed { device.grow(&dice) }
        self.dice = dice
    }

    /// Uploads and restarts until everything is proven or the partition is set aside.
    ///
    /// - Returns: Whether that came to an end.
    mutating func run() -> Bool {
        for _ in 0..<200 {
            guard let summary = device.summary, !device.isQuarantined, !device.isDone else { return true }
            upload(summary)
            restarts += 1
        }
        return false
    }

    /// Uploads until the upload is over, or until the process ends at any point and its memory is lost.
    private mutating func upload(_ summary: PartitionSummary) {
        var upload = PartitionUpload(
            partition: Sample.partition(),
            limits: UploadLimits(maximumStretchBytes: maximumStretchBytes)
        ) { 0.5 }
        var action = upload.begin(summary)
        for _ in 0..<dice.below(200) {
            if !device.isSealed, dice.once(in: 6) { device.grow(&dice) }
            switch action {
            case .stop, .rest:
                return
            case .quarantine:
                device.isQuarantined = true
                return
            default:
                action = perform(action, &upload)
            }
        }
    }

    private mutating func perform(
        _ action: PartitionUpload.Action,
        _ upload: inout PartitionUpload
    ) -> PartitionUpload.Action {
        let fails = diskFaults > 0 && dice.once(in: 10)
        switch action {
        case .read(let sequence, let bytes):
            if fails { return failLocally(&upload) }
            return upload.didRead(device.read(from: sequence, maximumBytes: bytes))
        case .send(let stretch):
            do {
                return upload.didReceive(try server.answer(stretch, &dice))
            } catch {
                return upload.didFail(error)
            }
        case .acknowledge(let proof):
            if fails {
                diskFaults -= 1
                notingFailures += 1
                return upload.didRefuseProof(reason: "ENOSPC")
            }
            return device.acknowledge(proof) ? upload.didAcknowledge() : upload.didRefuseProof(reason: "other root")
        case .wait(let pause, _, _):
            #expect(pause <= .seconds(300), "seed \(seed)")
            return fails ? failLocally(&upload) : upload.didWait(device.summary)
        case .delete:
            if fails { return failLocally(&upload) }
            #expect(server.events == device.events && server.isSealed, "seed \(seed)")
            device.isDeleted = true
            return upload.didDelete()
        case .quarantine, .stop, .rest:
            return action
        }
    }

    private mutating func failLocally(_ upload: inout PartitionUpload) -> PartitionUpload.Action {
        diskFaults -= 1
        return upload.didFailLocally(reason: "EIO")
    }
}
