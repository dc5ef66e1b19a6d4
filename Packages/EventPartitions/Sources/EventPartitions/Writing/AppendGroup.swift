import EventModel
import EventProofs
import Synchronization

/// What a leader does for the calls that it serves: stages all, syncs once, and says to each how it went.
struct AppendGroup {
    /// What a call wants.
    enum Request: Sendable {
        case append(LeafBatch)
        /// Writes the losses that wait to be entered in the ledger; all of them, or those that are due.
        case enterLosses(all: Bool)
        /// Makes durable what was written without a sync.
        case synchronize
        /// Deletes the partitions that the retention does not keep.
        case tidy
        /// Seals the partition that is written to, if there is one.
        case seal
        /// Seals a partition if it is the one that is written to.
        case sealIfWritten(PartitionID)
        /// Seals, and refuses every later request.
        case close

        /// Whether events are appended.
        var isAppend: Bool {
            if case .append = self { true } else { false }
        }
    }

    typealias Outcome = Result<AppendReceipt, any Error>

    let files: PartitionedEventFiles
    var writer: PartitionWriter?
    /// Calls whose events are all staged and wait for the next sync.
    private var staged: [(call: Int, receipt: AppendReceipt)] = []
    private var outcomes: [Outcome?] = []
    /// Losses that are staged and not written yet.
    var entering: [LossEntry] = []

    /// Creates a group.
    ///
    /// - Parameters:
    ///   - files: The files that the calls belong to.
    ///   - writer: The partition that is written to, or nil when the next event starts one.
    init(files: PartitionedEventFiles, writer: consuming PartitionWriter?) {
        self.files = files
        self.writer = writer
    }

    /// Serves the calls in order.
    ///
    /// - Returns: One outcome for each call, and the partition to go on with.
    consuming func run(_ requests: [Request]) -> ([Outcome], PartitionWriter?) {
        outcomes = Array(repeating: nil, count: requests.count)
        for (call, request) in requests.enumerated() {
            do {
                switch request {
                case .append(let batch):
                    let receipt = try stage(batch)
                    staged.append((call, receipt))
                case .enterLosses(let all):
                    try files.checkOpen()
                    try enterLosses(all: all)
                    staged.append((call, AppendReceipt(places: [])))
                case .synchronize:
                    try files.checkOpen()
                    try settle(isSynced: true)
                    outcomes[call] = .success(AppendReceipt(places: []))
                case .tidy:
                    try files.checkOpen()
                    try settle()
                    try tidy()
                    outcomes[call] = .success(AppendReceipt(places: []))
                case .sealIfWritten(let partition) where writer?.partition != partition:
                    outcomes[call] = .success(AppendReceipt(places: []))
                case .seal, .sealIfWritten, .close:
                    // Closing twice is no mistake; whoever asks for a seal must hear that there will be none.
                    if case .close = request {} else { try files.checkOpen() }
                    try enterLosses(all: true)
                    try settle()
                    try sealWriter()
                    if case .close = request { files.didClose() }
                    outcomes[call] = .success(AppendReceipt(places: []))
                }
            } catch {
                fail(call, with: error)
            }
        }
        do {
            try settle()
        } catch {
            fail(nil, with: error)
        }
        do {
            try enterLosses(all: false)
            try settle()
        } catch {
            // The calls have their outcomes; the losses wait for the next group.
            fail(nil, with: error)
        }
        let finished = outcomes.map { outcome in
            guard let outcome else { preconditionFailure("Every call is either staged, settled or failed.") }
            return outcome
        }
        return (finished, writer)
    }

    /// Stages the events of one call, starting new partitions where one is full.
    private mutating func stage(_ batch: LeafBatch) throws -> AppendReceipt {
        try files.checkOpen()
        if writer != nil, files.isClosingDue() { try rollOver() }
        var places: [AppendReceipt.Place] = []
        let count = files.takeRoom(batch.byteCount) ? batch.count : try makeRoom(for: batch)
        if count > 0 { try enterLosses(all: true) }
        for block in batch.blocks(first: count) {
            try makeRoom(for: block.byteCount)
            try writer?.stage(block)
            extend(&places, by: UInt64(block.leaves.count))
        }
        try stageLosses(batch.losses)
        guard count < batch.count else {
            return AppendReceipt(places: places, rejections: batch.rejections)
        }
        return AppendReceipt(places: places, rejections: batch.rejections + refuse(batch, from: count))
    }

    /// Starts a partition when there is none, or when a block of events would make the one there is too large.
    private mutating func makeRoom(for byteCount: Int) throws {
        // The writer is asked through the optional: a copy of it would make staging copy its buffers.
        if let count = writer?.frontier.count, count > 0, let size = writer?.byteCount,
            size + UInt64(byteCount) > files.limits.partitionBytes
        {
            try rollOver()
        }
        if writer == nil { writer = try files.makeWriter() }
    }

    /// Adds the events that were staged last to the places of a receipt.
    private func extend(_ places: inout [AppendReceipt.Place], by count: UInt64) {
        guard let partition = writer?.partition, let sequence = writer?.frontier.count else { return }
        if let place = places.last, place.partition == partition {
            places[places.count - 1] = .init(
                partition: partition,
                sequences: place.sequences.lowerBound...sequence
            )
        } else {
            places.append(.init(partition: partition, sequences: sequence - count + 1...sequence))
        }
    }

    /// Makes everything staged as durable as the app wants it, and notifies the calls that waited for it.
    mutating func settle(isSynced: Bool = false) throws {
        let isSynced = isSynced || files.policy.durability == .eachCommit
        try writer?.flush(isSynced: isSynced)
        if let writer { files.didFlush(writer) }
        if writer?.hasUnsynced == true { files.scheduleSync() }
        if !entering.isEmpty { files.didEnterLosses() }
        entering = []
        for (call, receipt) in staged { outcomes[call] = .success(receipt) }
        staged = []
    }

    /// Ends a full partition; the events in it are durable before anything else can go wrong.
    mutating func rollOver() throws {
        try settle()
        do {
            try sealWriter()
        } catch {
            // The events are safe. Recovery finds the file without a seal and tries again.
            abandonWriter(after: error)
        }
    }

    private mutating func sealWriter() throws {
        // Taken out, so that sealing does not copy its buffers.
        guard var closing = writer.take() else { return }
        do {
            let seal = try files.seal(&closing)
            files.didSeal(closing, seal)
        } catch {
            writer = closing
            throw error
        }
    }

    /// After a failed call nobody knows what the file holds beyond the last sync, so it is not written to again.
    private mutating func fail(_ call: Int?, with error: any Error) {
        abandonWriter(after: error)
        let error = (error as? FileSystemError).map { PartitionError.fileSystem($0) } ?? error
        for (waiting, _) in staged { outcomes[waiting] = .failure(error) }
        staged = []
        let losses = entering
        files.state.withLock { $0.unentered.giveBack(losses) }
        entering = []
        if let call { outcomes[call] = .failure(error) }
    }

    private mutating func abandonWriter(after error: any Error) {
        if let writer { files.didAbandon(writer, after: error) }
        writer = nil
    }
}
