import EventModel
import EventProofs
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps what a device knows of the log of its app's server, and the proof when that log contradicts itself.
///
/// The file of a contradiction is the state: as long as it is there, whichever process wrote it, nothing is sent or deleted.
final class LogBook: Sendable {
    fileprivate struct State {
        /// Why partitions are kept for now; nil when the log is as it should be.
        var withheld: String?
        /// What was reported last, until a look was good.
        var told: LogDoubt?
        /// By user, the receipts whose entries were not found in the log yet, the oldest first; nil before the file was read.
        var unproven: [String: [KeptReceipt]]?
    }

    /// How much later than a partition another one of the user may be sealed before the first has to be in the log: a day.
    ///
    /// By the server's own clock; a server publishes what was sealed within seconds, or once it is mended.
    static let maximumDelay = Duration.seconds(86_400)

    /// How many receipts of a user wait at most to be looked for in the log; the newest ones do.
    static let maximumUnproven = 1000

    /// Whom the app believes checkpoints; nil to trust the key that the server names first.
    let configured: WitnessPolicy?
    private let app: String
    private let recordFile: OwnerFile
    private let contradictionFile: OwnerFile
    private let receipts: ReceiptFile
    private let reserve: DiskReserve
    private let logger: @Sendable (SyncLogLevel, String) -> Void
    private let state = Mutex(State())

    /// Names the files of an app; nothing is read.
    init(
        app: String,
        folder: AppFolder,
        receipts: ReceiptFile,
        configured: WitnessPolicy?,
        fileSystem: any FileSystem = POSIXFileSystem(),
        logger: @escaping @Sendable (SyncLogLevel, String) -> Void
    ) {
        self.app = app
        self.configured = configured
        self.receipts = receipts
        self.logger = logger
        recordFile = OwnerFile(path: folder.log, in: fileSystem)
        contradictionFile = OwnerFile(path: folder.logContradiction, in: fileSystem)
        reserve = DiskReserve(path: "\(folder.receipts).reserve", in: fileSystem)
    }

    // MARK: - What may be sent and deleted

    /// Checks that the log has not contradicted itself as far as this device knows.
    ///
    /// - Throws: `untrustedServer` while the file of a contradiction is there.
    func check() throws(TransportError) {
        // A file of no bytes is one as well: whoever looks into it decides, and not its length.
        guard contradictionFile.size == nil else { throw contradicted }
    }

    /// Why nothing may be deleted now; nil when nothing speaks against it.
    var objection: LogDoubt? {
        do throws(TransportError) {
            try check()
        } catch {
            return .contradicted(error)
        }
        return state.withLock(\.withheld).map { .unproven($0) }
    }

    private var contradicted: TransportError {
        TransportError(
            .untrustedServer,
            message: """
                The log of the server contradicts what it has signed before; the proof is \(contradictionFile.path), and nothing is \
                sent or deleted while it is there.
                """
        )
    }

    /// Takes what a look came to.
    ///
    /// - Returns: What is to be reported: each doubt once until a look was good.
    func conclude(_ doubt: LogDoubt?) -> SyncTransportError? {
        if case .away(let error) = doubt {
            logger(.detail, "Events: the log of \(app)'s server cannot be looked at now: \(error)")
            return nil
        }
        return state.withLock { state in
            switch doubt {
            case nil: state.withheld = nil
            case .unproven(let reason): state.withheld = reason
            // What was in doubt before still is.
            case .away, .unchecked, .contradicted: break
            }
            defer { state.told = doubt }
            return doubt == state.told ? nil : doubt?.error
        }
    }

    // MARK: - The record

    /// What is kept of the log; nil before the first look.
    ///
    /// - Throws: `LogDoubt.unproven` when the file is there and cannot be read: no reason to trust anew.
    func record() throws(LogDoubt) -> LogRecord? {
        let bytes: [UInt8]?
        do {
            bytes = try recordFile.read()
        } catch {
            throw .unproven("what this device kept of it cannot be read: \(error.text)")
        }
        guard let bytes else { return nil }
        do {
            return try JSONDecoder().decode(LogRecord.self, from: Data(bytes))
        } catch {
            throw .unproven("\(recordFile.path) is not what this device kept of it")
        }
    }

    /// Keeps a record in the place of the one before.
    ///
    /// - Throws: `LogDoubt.unchecked` when it could not be written; the one before is kept, which is as good as ever.
    func keep(_ record: LogRecord) throws(LogDoubt) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let bytes = Array(try encoder.encode(record))
            try reserve.append { try recordFile.replace(with: bytes) }
        } catch {
            throw .unchecked("this device could not keep what it saw: \(Self.reason(error))")
        }
    }

    /// Notes the key that the log is known by from now on, as the server of another key named it.
    func learn(_ key: NoteVerifierKey, of server: ServerKey) throws(LogDoubt) -> LogRecord {
        let record = LogRecord(key: "\(key)", server: "\(server)")
        try keep(record)
        logger(.info, "Events: the log of \(app)'s server is known by the key \(key) from now on.")
        return record
    }

    /// Notes the key that took the place of the one before in the same log, as the server stated it.
    func follow(_ key: NoteVerifierKey, of server: ServerKey, from before: LogRecord) throws(LogDoubt) -> LogRecord {
        var record = before
        record.formerKeys = (before.formerKeys ?? []) + [before.key]
        record.key = "\(key)"
        record.server = "\(server)"
        try keep(record)
        logger(.info, "Events: the log of \(app)'s server is signed by the key \(key) from now on.")
        return record
    }

    // MARK: - Contradictions

    /// Keeps a contradiction, durable before it returns; one that is there already stays.
    ///
    /// - Returns: The doubt to report.
    func keep(_ contradiction: LogContradiction) -> LogDoubt {
        guard contradictionFile.size == nil else { return .contradicted(contradicted) }
        do {
            let bytes = try contradiction.bytes()
            try reserve.append { try contradictionFile.replace(with: bytes) }
            logger(.error, "Events: \(contradicted)")
            return .contradicted(contradicted)
        } catch {
            // The record is as it was, so that the next look, also after a restart, finds it again.
            return .unproven(
                "it contradicts what it signed before, and the proof could not be kept: \(Self.reason(error))"
            )
        }
    }

    /// The contradiction that is kept, or nil.
    func contradiction() throws(SyncTransportError) -> LogContradiction? {
        do {
            return try contradictionFile.read().map { try LogContradiction($0) }
        } catch {
            throw .logUnchecked(reason: "\(contradictionFile.path) cannot be read: \(Self.reason(error))")
        }
    }

    /// Puts a contradiction aside and forgets what was kept of the log.
    func trustAnew() throws(SyncTransportError) {
        do {
            // The record first: were it lost afterwards, the same contradiction would be found again, and not the other way round.
            _ = recordFile.remove()
            guard contradictionFile.size != nil else { return }
            try contradictionFile.rename(to: "\(contradictionFile.path).resolved")
        } catch {
            throw .logUnchecked(reason: "\(contradictionFile.path) cannot be put aside: \(error.text)")
        }
        state.withLock { state in
            state.withheld = nil
            state.told = nil
            state.unproven = nil
        }
    }

    // MARK: - Receipts to look for

    /// Takes a receipt that was kept just now.
    func didKeep(_ receipt: KeptReceipt) {
        // Before the file was read there is nothing to add to: the receipt is in it.
        state.withLock { $0.add(receipt) }
    }

    /// The oldest receipts of a user that are to be looked for in the log.
    ///
    /// - Throws: `LogDoubt.unchecked` when the receipts cannot be read.
    func unproven(of user: String, _ record: LogRecord, atMost count: Int) throws(LogDoubt) -> [KeptReceipt] {
        if let known = state.withLock({ $0.unproven }) { return Array((known[user] ?? []).prefix(count)) }
        let kept: [KeptReceipt]
        do {
            kept = try receipts.keptReceipts()
        } catch {
            throw .unchecked("the receipts of this device cannot be read: \(Self.reason(error))")
        }
        var byUser = Dictionary(grouping: kept, by: \.receipt.user)
        for (user, signature) in record.proven {
            guard let all = byUser[user],
                let last = all.lastIndex(where: { Hexadecimal.text($0.receipt.signature) == signature })
            else { continue }
            byUser[user] = Array(all[(last + 1)...])
        }
        return state.withLock { state in
            if state.unproven == nil { state.unproven = byUser.mapValues { $0.suffix(Self.maximumUnproven) } }
            return Array((state.unproven?[user] ?? []).prefix(count))
        }
    }

    /// The oldest receipt of a user whose entry should have been published long ago; nil when there is none.
    func overdue(of user: String) -> StorageReceipt? {
        state.withLock { state in
            guard let waiting = state.unproven?[user], let first = waiting.first?.receipt,
                let last = waiting.last?.receipt,
                .microseconds(last.issued.microseconds - first.issued.microseconds) > Self.maximumDelay
            else { return nil }
            return first
        }
    }

    /// Takes that the first of a user's receipts was found in the log, or need not be looked for.
    func didProve(_ receipt: KeptReceipt) {
        state.withLock { state in
            guard state.unproven?[receipt.receipt.user]?.first == receipt else { return }
            state.unproven?[receipt.receipt.user]?.removeFirst()
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? OwnerFile.Failure)?.text ?? "\(error)"
    }
}

extension LogBook.State {
    fileprivate mutating func add(_ receipt: KeptReceipt) {
        guard var waiting = unproven?[receipt.receipt.user, default: []], !waiting.contains(receipt) else { return }
        if waiting.count >= LogBook.maximumUnproven { waiting.removeFirst() }
        waiting.append(receipt)
        unproven?[receipt.receipt.user] = waiting
    }
}
