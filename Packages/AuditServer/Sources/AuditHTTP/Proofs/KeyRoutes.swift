import AuditModel
import EventModel
import EventProofs
import HummingbirdCore

/// What anybody may ask: the public keys that receipts, exports, the log and the trail are signed with, and those that did so before.
struct KeyRoutes: Sendable {
    let key: SigningKey
    let earlierKeys: [[UInt8]]
    /// How the key followed others.
    let history: KeyHistory
    /// The key of the published log, as its witnesses and mirrors want it; nil where none is published.
    let logKey: String?

    private struct Answer: Encodable {
        let algorithm = "Ed25519"
        let publicKey: String
        let earlierKeys: [String]
        let logKey: String?
        let trailKey: String
        let exportKey: String
        let successions: [String]
    }

    func add(to api: API) {
        api.get("key", .anyone, show)
    }

    private func show(_: Request, _: AuditRequestContext, _: Anyone) async throws -> Response {
        try .json(
            Answer(
                publicKey: Hexadecimal.text(key.publicKey),
                earlierKeys: earlierKeys.map { Hexadecimal.text($0) },
                logKey: logKey,
                trailKey: Hexadecimal.text(key.trailKey.publicKey),
                exportKey: Hexadecimal.text(key.exportKey.publicKey),
                successions: history.texts
            )
        )
    }
}
