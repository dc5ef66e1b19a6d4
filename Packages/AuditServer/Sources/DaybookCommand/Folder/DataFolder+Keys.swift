public import AuditModel
public import EventModel
public import EventProofs
import Foundation

/// The key that a server signs with, and how it came to it.
public struct ServerIdentity: Sendable {
    /// The key.
    public let key: SigningKey
    /// How keys followed each other before it; empty where it is the first.
    public let history: KeyHistory
}

extension DataFolder {
    /// The largest file of statements, in bytes.
    private static let maximumHistory = KeyHistory.maximumCount * (KeySuccession.maximumBytes + 1024)

    /// The key that signs receipts: 32 random bytes that only the owner of the folder may read.
    public var signingKeyPath: String { "\(path)/signing.key" }

    /// The key that takes its place, as long as that goes on.
    var nextSigningKeyPath: String { "\(path)/signing.key.next" }

    /// How keys that sign receipts followed each other: signed statements, which are no secret.
    public var keyHistoryPath: String { "\(path)/signing.keys" }

    /// Loads the key that signs receipts, or makes one in a new folder.
    ///
    /// A rotation that a process left in the middle is brought to its end.
    ///
    /// - Parameter makesMissing: Whether one is made when it is missing; true by default. Devices know the key of a server that
    ///   has events, and stop for another one.
    /// - Returns: The key, and the statements that led to it.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be used, the key is missing and not to be made, or the
    ///   statements lead to another key.
    public func identity(makingMissing makesMissing: Bool = true) throws(AuditServerError) -> ServerIdentity {
        let history = try keyHistory()
        if let next = try key(nextSigningKeyPath), let present = history.present,
            try SigningKey(next).publicKey == present.receipts
        {
            // Stated, and so the key from then on, although it had not got its place.
            try take(next)
        }
        guard let bytes = try key(signingKeyPath) else {
            guard makesMissing else { throw Self.missingKey(signingKeyPath) }
            guard history.present == nil else { throw foreignHistory }
            let bytes = SigningKey.makeKey()
            try PrivateFile.write(bytes, to: signingKeyPath, replacing: false)
            return ServerIdentity(key: try SigningKey(bytes), history: history)
        }
        let key = try SigningKey(bytes)
        if let present = history.present, present.receipts != key.publicKey { throw foreignHistory }
        return ServerIdentity(key: key, history: history)
    }

    /// Loads the key that signs receipts, as ``identity(makingMissing:)`` does.
    ///
    /// - Parameter makesMissing: Whether one is made when it is missing; true by default.
    /// - Returns: The key.
    /// - Throws: As there.
    public func signingKey(makingMissing makesMissing: Bool = true) throws(AuditServerError) -> SigningKey {
        try identity(makingMissing: makesMissing).key
    }

    /// What is known of a key that lies elsewhere: the statements that led to it, if they are of this one.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the file cannot be used.
    func keyHistory(leadingTo key: SigningKey) throws(AuditServerError) -> KeyHistory {
        let history = try keyHistory()
        return history.present?.receipts == key.publicKey ? history : KeyHistory()
    }

    /// Puts a new key in the place of the one that signs receipts, which signs that it is so and is then forgotten.
    ///
    /// - Parameters:
    ///   - now: The time of the statement.
    ///   - makesMissing: Whether a key that is missing is made first.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when a file cannot be used; the old key then still signs, or the new one
    ///   with the next start.
    public func rotateSigningKey(at now: EventInstant, makingMissing makesMissing: Bool = false) throws {
        let identity = try identity(makingMissing: makesMissing)
        guard identity.history.successions.count < KeyHistory.maximumCount else {
            throw AuditServerError.inaccessible(
                path: keyHistoryPath,
                reason: "\(KeyHistory.maximumCount) keys have followed each other, and there is no room for another; "
                    + "start without --rotate-signing-key"
            )
        }
        let bytes: [UInt8]
        if let left = try key(nextSigningKeyPath) {
            bytes = left
        } else {
            bytes = SigningKey.makeKey()
            try PrivateFile.write(bytes, to: nextSigningKeyPath, replacing: false)
        }
        let time = max(now, identity.history.successions.last?.time ?? now)
        let history = try KeyHistory(
            identity.history.successions + [identity.key.succession(to: SigningKey(bytes), at: time)]
        )
        // From here on the new key is the server's, also when the process dies before the next line.
        try PrivateFile.write(Array(try JSONEncoder().encode(history.texts)), to: keyHistoryPath)
        try take(bytes)
    }

    /// Writes the next key over the one before.
    private func take(_ next: [UInt8]) throws(AuditServerError) {
        try PrivateFile.write(next, to: signingKeyPath)
        try PrivateFile.removeIfPresent(nextSigningKeyPath)
    }

    private func keyHistory() throws(AuditServerError) -> KeyHistory {
        guard let bytes = try PrivateFile.read(keyHistoryPath, upTo: Self.maximumHistory) else { return KeyHistory() }
        do {
            return try KeyHistory(texts: JSONDecoder().decode([String].self, from: Data(bytes)))
        } catch {
            throw .inaccessible(
                path: keyHistoryPath,
                reason: "it does not hold the statements of the server's keys; bring it and signing.key from one backup"
            )
        }
    }

    private var foreignHistory: AuditServerError {
        .inaccessible(
            path: keyHistoryPath,
            reason:
                "its last statement is of another key than signing.key; bring both from one backup, or, if the key is lost, "
                + "move this file away together with the log that it belongs to"
        )
    }
}
