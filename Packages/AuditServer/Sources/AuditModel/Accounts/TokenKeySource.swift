/// Where the keys that sign tokens come from when several servers share them.
public protocol TokenKeySource: Sendable {
    /// Returns the keys that tokens are checked with, 32 bytes each, the one that signs first; there is always one.
    ///
    /// Servers ask once a minute, so a new key signs only after all of them had the time to learn of it.
    ///
    /// - Throws: `AuditServerError`.
    func tokenKeys() async throws -> [[UInt8]]
}
