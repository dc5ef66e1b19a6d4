import AuditModel
package import AuditVerifying
import EventModel

extension ReviewDesk {
    /// How many events are entered in the index at once.
    private static let eventsAtOnce = 5000

    /// Returns the keys of devices that are not believed from a time on, also by what was said through other servers.
    ///
    /// - Throws: `AuditServerError` when the store cannot be read.
    package func revokedKeys() async throws -> [RevokedKey] {
        // Once since the start at least: what this process wrote since is known at once, and nobody keeps it from an end by uploading.
        while try await !catchUp(maximumEvents: Self.eventsAtOnce), !hasCaughtUp { try Task.checkCancellation() }
        return read(\.revocations)
            .compactMap { placed in
                let statement = placed.value
                guard let since = statement.revokedSince, let key = Hexadecimal.bytes(statement.name.publicKey) else {
                    return nil
                }
                return RevokedKey(owner: statement.name.owner, publicKey: key, since: since, reason: statement.reason)
            }
    }
}
