import EventModel
import EventProofs
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Knows the server of an app by its key, and by those that followed it.
///
/// The first key is the one that the app configured; without one it is the first that the server signs with, which is kept in the app's
/// folder from then on. Another one is believed only when a statement leads to it that the key before it signed: see `KeySuccession`. Such
/// statements are kept, so that of two which begin with the same key the first one counts.
final class KeyBook: Sendable {
    private struct State {
        /// The key that was learned, once it was looked for in its file.
        var learned: ServerKey??
        /// What followed the first key, once it was looked for in its file.
        var history: KeyHistory?
    }

    private let app: String
    /// The key that the app was given; nil to learn the first one.
    let configured: ServerKey?
    private let keyFile: OwnerFile
    private let historyFile: OwnerFile
    private let reserve: DiskReserve
    private let logger: @Sendable (SyncLogLevel, String) -> Void
    private let state = Mutex(State())

    /// Names the files of an app; nothing is read before the first question.
    init(
        app: String,
        folder: AppFolder,
        configured: ServerKey?,
        logger: @escaping @Sendable (SyncLogLevel, String) -> Void
    ) {
        self.app = app
        self.configured = configured
        self.logger = logger
        keyFile = OwnerFile(path: folder.serverKey)
        historyFile = OwnerFile(path: folder.serverKeys)
        reserve = DiskReserve(path: "\(folder.receipts).reserve")
    }

    // MARK: - Asking

    /// The key that the server signs with now; nil before the first proof.
    ///
    /// - Throws: `untrustedServer` when what was kept of its keys cannot be read any more.
    func present() throws(TransportError) -> ServerKey? {
        try state.withLock { state throws(TransportError) in try present(&state) }
    }

    /// The keys that the server had before, the oldest first: what they signed then is still its word.
    ///
    /// - Throws: As ``present()``.
    func former() throws(TransportError) -> [ServerKeys] {
        try state.withLock { state throws(TransportError) in
            guard let present = try present(&state) else { return [] }
            return try history(&state).former(before: present.bytes)
        }
    }

    /// The keys that it has now, as the statement named them; nil when they never changed.
    ///
    /// - Throws: As ``present()``.
    func followed() throws(TransportError) -> ServerKeys? {
        try state.withLock { state throws(TransportError) in
            guard let present = try present(&state), let keys = try history(&state).present else { return nil }
            return keys.receipts == present.bytes ? keys : nil
        }
    }

    /// How its keys followed each other until now, where the app itself was given the key that this rests on; else nothing.
    ///
    /// Of a server that is known by the first key that was seen nobody can tell whose log it names in a statement: the log does not sign it.
    ///
    /// - Throws: As ``present()``.
    func givenHistory() throws(TransportError) -> KeyHistory {
        guard configured != nil else { return KeyHistory() }
        return try state.withLock { state throws(TransportError) in
            let (present, history) = (try present(&state), try history(&state))
            return history.present?.receipts == present?.bytes ? history : KeyHistory()
        }
    }

    /// The keys of receipts that the server has or had.
    ///
    /// - Throws: As ``present()``.
    func receiptKeys() throws(TransportError) -> [[UInt8]] {
        guard let present = try present() else { return [] }
        return try former().map(\.receipts) + [present.bytes]
    }

    // MARK: - Learning

    /// Trusts the first key, once it is kept.
    ///
    /// Of two tasks that learn at once the first one decides.
    func learn(_ key: ServerKey) throws(TransportError) {
        try state.withLock { state throws(TransportError) in
            if let known = state.learned ?? nil {
                guard known == key else { throw .untrusted("signs with two keys at once") }
                return
            }
            do {
                try reserve.append { try keyFile.replace(with: Array("\(key)\n".utf8)) }
            } catch {
                throw .notKept("the server's key", error)
            }
            state.learned = key
            logger(.info, "Events: the server of \(app) is known by the key \(key) from now on.")
        }
    }

    /// Follows what a server states of its keys, as far as it leads on from the present one.
    ///
    /// - Parameter texts: The statements, the oldest first, as the server gave them.
    /// - Returns: Whether there is another present key now; false when nothing leads on, or a statement is not to be believed.
    /// - Throws: `notKept` when the statements cannot be kept; the present key stays then. As ``present()``.
    func follow(_ texts: [String]) throws(TransportError) -> Bool {
        let offered: KeyHistory
        do {
            offered = try KeyHistory(texts: texts)
        } catch {
            logger(.error, "Events: the server of \(app) states other keys, and is not believed: \(error)")
            return false
        }
        return try state.withLock { state throws(TransportError) in
            guard let present = try present(&state) else { return false }
            let known = try history(&state)
            let kept = known.present?.receipts == present.bytes ? known.successions : []
            let more = offered.successions(behind: present.bytes)
            // What led to the present key is of use as well: its log, and receipts of before, are those of the same server.
            let before = kept.isEmpty ? Array(offered.successions.dropLast(more.count)) : kept
            let last = more.last?.successor.receipts
            guard last != nil || (kept.isEmpty && offered.present?.receipts == present.bytes) else { return false }
            do {
                let history = try KeyHistory((before + more).suffix(KeyHistory.maximumCount))
                let bytes = Array(try JSONEncoder().encode(history.texts))
                try reserve.append { try historyFile.replace(with: bytes) }
                state.history = history
            } catch {
                throw .notKept("what the server states of its keys", error)
            }
            guard let last else { return false }
            let key = Hexadecimal.text(last)
            logger(.info, "Events: the server of \(app) signs with the key \(key) in place of \(present) from now on.")
            return true
        }
    }

    // MARK: - Files

    private func present(_ state: inout State) throws(TransportError) -> ServerKey? {
        guard let first = if let configured { configured } else { try learned(&state) } else { return nil }
        guard let last = try history(&state).successions(behind: first.bytes).last else { return first }
        return ServerKey(last.successor.receipts)
    }

    private func learned(_ state: inout State) throws(TransportError) -> ServerKey? {
        if let learned = state.learned { return learned }
        guard let bytes = try Self.read(keyFile) else { return nil }
        guard let key = ServerKey(hex: String(decoding: bytes, as: UTF8.self)) else {
            throw .untrusted("cannot be recognised: \(keyFile.path) does not hold a key any more")
        }
        state.learned = key
        return key
    }

    private func history(_ state: inout State) throws(TransportError) -> KeyHistory {
        if let history = state.history { return history }
        let history: KeyHistory
        if let bytes = try Self.read(historyFile) {
            do {
                history = try KeyHistory(texts: JSONDecoder().decode([String].self, from: Data(bytes)))
            } catch {
                throw .untrusted("cannot be recognised: \(historyFile.path) does not hold statements of its keys")
            }
        } else {
            history = KeyHistory()
        }
        state.history = history
        return history
    }

    private static func read(_ file: OwnerFile) throws(TransportError) -> [UInt8]? {
        do {
            return try file.read()
        } catch {
            throw .untrusted("cannot be recognised, because its key cannot be read: \(error.text)")
        }
    }
}

extension TransportError {
    /// A server that is not believed.
    static func untrusted(_ predicate: String) -> TransportError {
        TransportError(.untrustedServer, message: "The server \(predicate).")
    }

    /// What had to be on the device before anything goes on, and is not.
    static func notKept(_ what: String, _ error: any Error) -> TransportError {
        let reason = (error as? OwnerFile.Failure)?.text ?? "it cannot be written as JSON"
        return TransportError(.notKept, message: "This device could not keep \(what): \(reason).")
    }
}
