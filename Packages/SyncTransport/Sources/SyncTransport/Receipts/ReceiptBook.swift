import EventModel
import EventProofs

/// Checks what the server of an app signs, and keeps the receipts of partitions that it took as a whole.
///
/// A server that signs with another key than ``KeyBook`` knows is not believed.
final class ReceiptBook: Sendable {
    private let app: String
    /// Which keys the server is known by.
    let keys: KeyBook
    private let file: ReceiptFile
    /// What is known of the server's log, where each kept receipt is looked for later.
    let log: LogBook
    private let reserve: DiskReserve

    /// Names the files of an app; nothing is read before the first proof.
    init(
        app: String,
        folder: AppFolder,
        configured: ServerKey?,
        logPolicy: WitnessPolicy? = nil,
        logger: @escaping @Sendable (SyncLogLevel, String) -> Void
    ) {
        self.app = app
        keys = KeyBook(app: app, folder: folder, configured: configured, logger: logger)
        file = ReceiptFile(path: folder.receipts)
        reserve = DiskReserve(path: "\(folder.receipts).reserve")
        log = LogBook(app: app, folder: folder, receipts: file, configured: logPolicy, logger: logger)
    }

    /// The receipts that are kept, the oldest first.
    func receipts() throws(SyncTransportError) -> [StorageReceipt] {
        do {
            return try file.receipts()
        } catch {
            throw .receiptsUnreadable(reason: Self.reason(error))
        }
    }

    /// Checks the signature on a proof, and keeps it when the proof covers a whole partition.
    ///
    /// - Parameters:
    ///   - proof: What the server answered.
    ///   - user: Whose partition it is.
    ///   - seal: The seal that was sent, where one was.
    /// - Throws: `untrustedServer` when something is said to be stored and this is not the server's signature for this user;
    ///   `notKept` when its key or the receipt of a whole partition cannot be kept on this device.
    func check(_ proof: DurabilityProof, of user: String, seal: PartitionSeal? = nil) throws(TransportError) {
        let known = try keys.present()
        guard let receipt = proof.receipt else {
            // Nothing is durable, so there is nothing to sign either.
            if proof.isReceipted { return }
            throw .untrusted(
                "does not sign what it says that it has stored; nothing is deleted without its receipt"
            )
        }
        guard receipt.app == app, receipt.user == user, proof.isReceipted else {
            throw .untrusted("has signed something else than it says")
        }
        let key = ServerKey(receipt.publicKey)
        if let known, known != key {
            throw .untrusted(
                """
                signs with the key \(key?.description ?? "of another form"), and was known by the key \(known); if it was \
                set up anew, give the new key as `serverKey` of the app's configuration
                """
            )
        }
        guard let key, key.isSigner(of: receipt) else { throw .untrusted("has signed wrongly") }
        if known == nil { try keys.learn(key) }
        if proof.isSealed {
            try keep(KeptReceipt(receipt: receipt, seal: seal.map { LogContradiction.sealHash(of: $0) }))
        }
    }

    // MARK: - Receipts

    /// Keeps a receipt before the partition that it covers may be deleted.
    private func keep(_ kept: KeptReceipt) throws(TransportError) {
        do {
            try reserve.append { try file.append(kept) }
        } catch {
            throw .notKept("the receipt of \(kept.receipt.partition)", error)
        }
        log.didKeep(kept)
    }

    private static func reason(_ error: any Error) -> String {
        (error as? OwnerFile.Failure)?.text ?? "it cannot be written as JSON"
    }
}
