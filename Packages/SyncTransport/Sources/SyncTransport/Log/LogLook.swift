import EventModel
import EventProofs

/// One look at the log of a user's server: its newest checkpoint against the kept one, then the user's own partitions in it.
struct LogLook {
    /// How many of the user's partitions are looked for in one look.
    static let maximumPartitions = 16

    private let user: User
    private let book: LogBook
    private let requests: LogRequests
    private var keys: KeyBook { user.book.receipts.keys }

    init(user: User) {
        self.user = user
        book = user.book.receipts.log
        requests = LogRequests(user: user)
    }

    /// Looks at the log; a server that publishes none is left alone.
    func perform() async throws(LogDoubt) {
        guard var record = try await record() else { return }
        var trust = try trust(record)
        guard let bytes = try await requests.checkpoint() else {
            guard record.checkpoint == nil else { throw .unchecked("the server does not publish it any more") }
            return
        }
        let newest: SignedCheckpoint
        do {
            newest = try SignedCheckpoint(bytes)
        } catch {
            // Whoever answers in the server's place, such as a captive portal, answers this way too.
            throw .unchecked("\(error)")
        }
        let isForeign = try isOfOtherPolicy(record, trust)
        if isForeign || !trust.isSigned(newest), let followed = try await followed(record) {
            record = followed
            trust = try self.trust(record)
        }
        do {
            _ = try trust.present.verify(newest)
        } catch {
            throw .unproven("\(error)")
        }
        guard try await judge(newest, kept(record, trust), trust, &record) else { return }
        try await find(in: newest, trust, &record)
    }

    // MARK: - Whom to believe

    /// What is kept of the log, with its key; nil when the server publishes none, or its own key is not known yet.
    private func record() async throws(LogDoubt) -> LogRecord? {
        let record = try book.record()
        if let policy = book.configured {
            return record ?? LogRecord(key: policy.logKeys.first.map { "\($0)" } ?? "")
        }
        // Known with the first receipt: the log's key is trusted no earlier than that one, and from nobody else.
        guard let server = try serverKey else { return nil }
        // An app that was given another key of the server trusts what that one names.
        if let record, record.server == "\(server)" || record.server == nil { return record }
        guard let answer = try await requests.key() else { return nil }
        _ = try follow(answer)
        return try taken(answer, after: record)
    }

    /// What is kept of a log whose newest checkpoint another key has signed than was known, if the server states that this one followed.
    private func followed(_ record: LogRecord) async throws(LogDoubt) -> LogRecord? {
        // A policy is followed by an app alone that was given the server's key as well.
        guard book.configured == nil || keys.configured != nil, let answer = try await requests.key() else {
            return nil
        }
        let isFollowed = try follow(answer)
        if book.configured != nil { return record }
        return isFollowed ? try taken(answer, after: record) : nil
    }

    /// Whom to believe by what is kept, what the app says, and what the server stated of its keys.
    private func trust(_ record: LogRecord) throws(LogDoubt) -> LogTrust {
        let history: KeyHistory
        do {
            history = try keys.givenHistory()
        } catch {
            throw .unchecked(error.message)
        }
        return try LogTrust(in: record, or: book.configured, following: history)
    }

    /// Follows what the server states of its keys; returns whether it has another one now.
    private func follow(_ answer: LogRequests.KeyAnswer) throws(LogDoubt) -> Bool {
        do {
            return try keys.follow(answer.successions ?? [])
        } catch {
            throw .unchecked(error.message)
        }
    }

    /// Takes the log's key from a server that is known by its own key; nil when it publishes no log.
    private func taken(_ answer: LogRequests.KeyAnswer, after record: LogRecord?) throws(LogDoubt) -> LogRecord? {
        // Asked for here, as the answer itself may have led to another one.
        guard let text = answer.logKey, let server = try serverKey else { return nil }
        guard ServerKey(hex: answer.publicKey) == server else {
            throw .unproven("the server says that it signs with another key than it does")
        }
        do {
            let key = try NoteVerifierKey(parsing: text)
            // The same log under a key that follows; any other key begins anew.
            guard let record, let before = record.server.flatMap({ ServerKey(hex: $0) }), let now = try keys.followed(),
                try keys.former().contains(where: { $0.receipts == before.bytes })
            else { return try book.learn(key, of: server) }
            guard key.publicKey == now.log else {
                throw LogDoubt.unproven("the server names another key of it than it stated")
            }
            return try book.follow(key, of: server, from: record)
        } catch let error as LogDoubt {
            throw error
        } catch let error as TransportError {
            throw .unchecked(error.message)
        } catch {
            throw .unchecked("\(error)")
        }
    }

    private var serverKey: ServerKey? {
        get throws(LogDoubt) {
            do {
                return try keys.present()
            } catch {
                throw .unchecked(error.message)
            }
        }
    }

    private var receiptKeys: [[UInt8]] {
        get throws(LogDoubt) {
            do {
                return try keys.receiptKeys()
            } catch {
                throw .unchecked(error.message)
            }
        }
    }

    /// Whether what was kept is of a log that the configured policy does not know, as far as the server's statements were asked for.
    private func isOfOtherPolicy(_ record: LogRecord, _ trust: LogTrust) throws(LogDoubt) -> Bool {
        guard book.configured != nil, record.checkpoint != nil else { return false }
        return try kept(record, trust) == nil
    }

    /// The checkpoint that was kept; nil when there is none, or the configured policy is of another log by now.
    private func kept(_ record: LogRecord, _ trust: LogTrust) throws(LogDoubt) -> SignedCheckpoint? {
        guard let text = record.checkpoint else { return nil }
        let kept: SignedCheckpoint
        do {
            kept = try SignedCheckpoint(Array(text.utf8))
        } catch {
            throw .unproven("what this device kept of it is no checkpoint: \(error)")
        }
        do {
            _ = try trust.past.verify(kept)
            return kept
        } catch {
            guard book.configured != nil else {
                throw .unproven("what this device kept of it was not signed by its key: \(error)")
            }
            return nil
        }
    }

    // MARK: - The checkpoint

    /// Compares the newest checkpoint with the kept one, and keeps it.
    ///
    /// - Returns: Whether partitions can be looked for in the newest one.
    private func judge(
        _ newest: SignedCheckpoint,
        _ kept: SignedCheckpoint?,
        _ trust: LogTrust,
        _ record: inout LogRecord
    ) async throws(LogDoubt) -> Bool {
        var comparison = LogComparison(kept: kept, newest: newest)
        while true {
            switch comparison.next() {
            case .fetch(let tiles):
                for tile in tiles { comparison.didFetch(try await requests.bytes(of: tile), of: tile) }
            case .judge(.first), .judge(.grown):
                record.checkpoint = String(decoding: newest.note.bytes, as: UTF8.self)
                if let key = book.configured?.logKeys.first { record.key = "\(key)" }
                try book.keep(record)
                return true
            case .judge(.unchanged):
                return true
            case .judge(.behind):
                // Asked for, so that the receipts are known.
                _ = try book.unproven(of: user.id, record, atMost: 0)
                try requireTimeliness()
                throw .unchecked(
                    """
                    the server shows an older checkpoint, of \(newest.checkpoint.size) partitions, than the one of \
                    \(kept?.checkpoint.size ?? 0) that it showed before; the older one is the beginning of the other
                    """
                )
            case .judge(.contradicted(let contradiction)):
                throw try accused(contradiction, trust)
            case .judge(.unproven(let error)):
                let size = kept?.checkpoint.size ?? 0
                throw .unproven(
                    newest.checkpoint.size < size
                        ? "it has \(newest.checkpoint.size) partitions, and had \(size) before. \(error)"
                        : "it does not show that it has only grown. \(error)"
                )
            }
        }
    }

    // MARK: - Own partitions

    /// Looks for the entries of the user's partitions, the oldest first.
    private func find(
        in newest: SignedCheckpoint,
        _ trust: LogTrust,
        _ record: inout LogRecord
    ) async throws(LogDoubt) {
        let known = try receiptKeys
        var hasFound = false
        var doubt: LogDoubt?
        for kept in try book.unproven(of: user.id, record, atMost: Self.maximumPartitions) {
            do throws(LogDoubt) {
                // What another server signed, before the app was given this one's key, is not this one's to show.
                if known.contains(kept.receipt.publicKey) {
                    guard try await isFound(kept, in: newest, trust) else { break }
                }
            } catch {
                doubt = error
                break
            }
            book.didProve(kept)
            record.proven[user.id] = Hexadecimal.text(kept.receipt.signature)
            hasFound = true
        }
        if hasFound { try book.keep(record) }
        if let doubt { throw doubt }
        try requireTimeliness()
    }

    /// Doubts a log that does not come to what the server gave receipts for long ago.
    private func requireTimeliness() throws(LogDoubt) {
        guard let late = book.overdue(of: user.id) else { return }
        throw .unproven("\(late.partition) is not in what the server shows of it, a day after its receipt")
    }

    /// Looks for the entry of a partition.
    ///
    /// - Returns: Whether it is there; false when the checkpoint is from before its seal.
    private func isFound(
        _ kept: KeptReceipt,
        in newest: SignedCheckpoint,
        _ trust: LogTrust
    ) async throws(LogDoubt) -> Bool {
        let (receipt, checkpoint) = (kept.receipt, newest.checkpoint)
        guard let answer = try await requests.inclusion(of: receipt.partition, size: checkpoint.size) else {
            // Refused: the entry is behind the checkpoint, or not there at all.
            guard let answer = try await requests.inclusion(of: receipt.partition, size: nil) else {
                throw try accused(.omission(receipt: receipt, signed: newest), trust)
            }
            guard answer.entry.index >= checkpoint.size else {
                throw .unproven("the server does not show where \(receipt.partition) is in it")
            }
            return false
        }
        let (entry, proof) = (answer.entry, answer.proof)
        guard entry.partition == receipt.partition, proof.index == entry.index, proof.count == checkpoint.size,
            proof.verify(leaf: entry.leaf, root: checkpoint.root)
        else { throw .unproven("the server does not prove that \(receipt.partition) is in it") }
        if entry.isPromised(by: receipt, seal: kept.seal) { return true }
        let shown: LogProof
        do {
            shown = try LogProof(proof, in: newest)
        } catch {
            throw .unproven("\(error)")
        }
        throw try accused(.replacement(receipt: receipt, seal: kept.seal, entry: entry, proof: shown), trust)
    }
}

// MARK: - Contradictions

extension LogLook {
    /// Keeps a contradiction, once it was checked as those will do who are given the file.
    ///
    /// - Returns: The doubt that it is.
    private func accused(_ contradiction: LogContradiction, _ trust: LogTrust) throws(LogDoubt) -> LogDoubt {
        let known = try receiptKeys
        do {
            try contradiction.verify(by: trust.past, serverKeys: known)
        } catch {
            return .unproven("\(error)")
        }
        return book.keep(contradiction)
    }
}
