import EventModel
import EventProofs
import Synchronization

import enum Crypto.Curve25519

/// Checks what the server of an app signs, and keeps the receipts of partitions that it took as a whole.
///
/// The key is the one that the app configured; without one it is the first that the server signs with, which is kept in
/// the app's folder from then on. A server that signs with another one is not believed.
final class ReceiptBook: Sendable {
    private let app: String
    private let configured: ServerKey?
    private let keyFile: OwnerFile
    private let file: ReceiptFile
    /// What is known of the server's log, where each kept receipt is looked for later.
    let log: LogBook
    private let reserve: DiskReserve
    private let logger: @Sendable (SyncLogLevel, String) -> Void
    /// The key that was learned, once it was looked for in its file.
    private let learned = Mutex<ServerKey??>(nil)

    /// Names the files of an app; nothing is read before the first proof.
    init(
        app: String,
        folder: AppFolder,
        configured: ServerKey?,
        logPolicy: WitnessPolicy? = nil,
        logger: @escaping @Sendable (SyncLogLevel, String) -> Void
    ) {
        self.app = app
        self.configured = configured
        self.logger = logger
        keyFile = OwnerFile(path: folder.serverKey)
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
        let known = try knownKey()
        guard let receipt = proof.receipt else {
            // Nothing is durable, so there is nothing to sign either.
            if proof.isReceipted { return }
            throw Self.untrusted(
                "does not sign what it says that it has stored; nothing is deleted without its receipt"
            )
        }
        guard receipt.app == app, receipt.user == user, proof.isReceipted else {
            throw Self.untrusted("has signed something else than it says")
        }
        let key = ServerKey(receipt.publicKey)
        if let known, known != key {
            throw Self.untrusted(
                """
                signs with the key \(key?.description ?? "of another form"), and was known by the key \(known); if it was \
                set up anew, give the new key as `serverKey` of the app's configuration
                """
            )
        }
        guard let key, key.isSigner(of: receipt) else { throw Self.untrusted("has signed wrongly") }
        if known == nil { try learn(key) }
        if proof.isSealed {
            try keep(KeptReceipt(receipt: receipt, seal: seal.map { LogContradiction.sealHash(of: $0) }))
        }
    }

    // MARK: - The key

    /// The key of the server, configured or learned; nil before the first proof.
    ///
    /// - Throws: `untrustedServer` when it was learned and cannot be read any more.
    func knownKey() throws(TransportError) -> ServerKey? {
        if let configured { return configured }
        if let learned = learned.withLock({ $0 }) { return learned }
        let bytes: [UInt8]?
        do {
            bytes = try keyFile.read()
        } catch {
            throw Self.untrusted("cannot be recognised, because its key cannot be read: \(error.text)")
        }
        guard let bytes else { return nil }
        guard let key = ServerKey(hex: String(decoding: bytes, as: UTF8.self)) else {
            throw Self.untrusted("cannot be recognised: \(keyFile.path) does not hold a key any more")
        }
        learned.withLock { $0 = key }
        return key
    }

    /// Trusts the first key, once it is kept.
    ///
    /// Of two tasks that learn at once the first one decides.
    private func learn(_ key: ServerKey) throws(TransportError) {
        let failure: TransportError? = learned.withLock { learned in
            if let known = learned ?? nil {
                return known == key ? nil : Self.untrusted("signs with two keys at once")
            }
            do {
                try reserve.append { try keyFile.replace(with: Array("\(key)\n".utf8)) }
            } catch {
                return Self.notKept("the server's key", error)
            }
            learned = key
            logger(.info, "Events: the server of \(app) is known by the key \(key) from now on.")
            return nil
        }
        if let failure { throw failure }
    }

    // MARK: - Receipts

    /// Keeps a receipt before the partition that it covers may be deleted.
    private func keep(_ kept: KeptReceipt) throws(TransportError) {
        do {
            try reserve.append { try file.append(kept) }
        } catch {
            throw Self.notKept("the receipt of \(kept.receipt.partition)", error)
        }
        log.didKeep(kept)
    }

    private static func notKept(_ what: String, _ error: any Error) -> TransportError {
        TransportError(.notKept, message: "This device could not keep \(what): \(reason(error)).")
    }

    private static func untrusted(_ predicate: String) -> TransportError {
        TransportError(.untrustedServer, message: "The server \(predicate).")
    }

    private static func reason(_ error: any Error) -> String {
        (error as? OwnerFile.Failure)?.text ?? "it cannot be written as JSON"
    }
}
