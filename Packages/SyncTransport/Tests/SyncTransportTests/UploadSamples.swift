import EventModel
import EventModelTesting
import SyncTransport
import SyncTransportTesting
import Synchronization

/// Values that several suites use.
enum Sample {
    static func partition(_ number: UInt32 = 1) -> PartitionID {
        PartitionID(prefix: "events", id: ObjectId(high: 7, low: number))
    }

    static func summary(
        count: UInt64 = 4,
        isSealed: Bool = false,
        acknowledged: UInt64 = 0,
        quarantineReason: String? = nil,
        isSealAcknowledged: Bool = false
    ) -> PartitionSummary {
        PartitionSummary(
            partition: partition(),
            count: count,
            isSealed: isSealed,
            acknowledgedThrough: acknowledged,
            byteCount: count,
            quarantineReason: quarantineReason,
            isSealAcknowledged: isSealAcknowledged
        )
    }

    /// A stretch of one-byte events whose root is ``SampleRoot`` over bytes 1, 2, 3 and so on.
    static func stretch(from first: UInt64, count: Int, isSealed: Bool = false) -> PartitionStretch {
        var events = EncodedEvents()
        for offset in 0..<count { events.append(encoded: [UInt8(first) + UInt8(offset)]) }
        let last = first + UInt64(count) - 1
        return PartitionStretch(
            partition: partition(),
            firstSequence: first,
            events: events,
            root: root(through: last),
            seal: isSealed ? EventTransportConformance.sampleSeal(partition(), last, root(through: last)) : nil
        )
    }

    static func root(through last: UInt64) -> Digest {
        SampleRoot.of((0..<last).map { [UInt8($0 + 1)] })
    }

    /// A proof whose receipt is not signed, as it comes from a transport that has checked it.
    static func proof(through last: UInt64, isSealed: Bool = false) -> DurabilityProof {
        unsigned(through: last, isSealed: isSealed).receipted
    }

    /// A proof without a receipt.
    static func unsigned(through last: UInt64, isSealed: Bool = false) -> DurabilityProof {
        DurabilityProof(partition: partition(), durableThrough: last, root: root(through: last), isSealed: isSealed)
    }
}

/// Collects what is reported from any thread.
final class Reports: Sendable {
    private struct Collected {
        var errors: [SyncTransportError] = []
        var aborts: [String] = []
        var lines: [String] = []
    }

    private let collected = Mutex(Collected())

    var errors: [SyncTransportError] { collected.withLock(\.errors) }
    var aborts: [String] { collected.withLock(\.aborts) }
    var lines: [String] { collected.withLock(\.lines) }

    func reporting(hasHandler: Bool = true) -> UploadReporting {
        UploadReporting(
            errorHandler: hasHandler ? add(error:) : nil,
            logger: add(level:line:),
            abort: add(abort:)
        )
    }

    @Sendable
    private func add(error: SyncTransportError) {
        collected.withLock { $0.errors.append(error) }
    }

    @Sendable
    private func add(level: SyncLogLevel, line: String) {
        collected.withLock { $0.lines.append("\(level): \(line)") }
    }

    @Sendable
    private func add(abort sentence: String) {
        collected.withLock { $0.aborts.append(sentence) }
    }
}
