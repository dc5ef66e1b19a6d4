import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventProofs

/// A device that sends stretch after stretch, each again and again until it is acknowledged, and asks for heads of the log.
struct Sender: Sendable {
    private static let stretchCount = 10
    private static let partitionCount = 50

    let number: UInt32
    let store: any EventIngest & SealLog
    let promises: Promises

    /// Sends until the task is cancelled.
    func run() async throws {
        var partition: UInt32 = 0
        while !Task.isCancelled {
            partition += 1
            try await fill(SampleDevice(number << 20 | partition))
        }
    }

    /// Fills a partition and seals it with its last stretch.
    private func fill(_ empty: SampleDevice) async throws {
        var device = empty
        while device.events.count < Self.partitionCount {
            let first = device.events.count + 1
            device.record((0..<Self.stretchCount).map { "activity \($0)" })
            let isLast = device.events.count >= Self.partitionCount
            let upload = try device.upload(first...device.events.count, seal: isLast ? device.seal() : nil)
            guard let proof = try await acknowledged(upload) else { return }
            if proof.durableThrough != upload.lastSequence || proof.root != upload.root {
                promises.report("\(proof.partition) was acknowledged at \(proof.durableThrough) with another root")
            }
            if proof.isSealed != isLast { promises.report("\(proof.partition) was acknowledged without its seal") }
        }
        try await noteHead()
    }

    /// Asks for a head of the log as whoever has it signed does; it must be true for ever.
    private func noteHead() async throws {
        do {
            promises.note(
                try await store.withLog(durably: true) { LogHead(size: $0.count, root: try $0.root(at: $0.count)) }
            )
        } catch AuditServerError.unavailable {
            // The next one is as good.
        } catch is CancellationError {
            // The audit follows.
        }
    }

    /// Returns nil when the task was cancelled.
    private func acknowledged(_ upload: EventUpload) async throws -> DurabilityProof? {
        while !Task.isCancelled {
            let attempted = ContinuousClock.now
            do {
                let proof = try await store.accept(upload)
                promises.note(proof, attempted: attempted)
                return proof
            } catch AuditServerError.unavailable {
                // A device waits longer; here it must not hide how long the cluster needed.
                try? await Task.sleep(for: .milliseconds(50))
            } catch is CancellationError {
                return nil
            } catch {
                promises.report("an upload was refused: \(error)")
                throw error
            }
        }
        return nil
    }
}
