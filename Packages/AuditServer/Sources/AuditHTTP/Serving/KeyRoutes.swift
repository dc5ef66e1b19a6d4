import AuditModel
import EventModel
import Hummingbird

/// What anybody may ask: the public key that receipts and tree heads are signed with, and those that did so before it.
struct KeyRoutes: Sendable {
    let key: SigningKey
    let earlierKeys: [[UInt8]]

    private struct Answer: Encodable {
        let algorithm = "Ed25519"
        let publicKey: String
        let earlierKeys: [String]
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        let answer = Answer(
            publicKey: Hexadecimal.text(key.publicKey),
            earlierKeys: earlierKeys.map { Hexadecimal.text($0) }
        )
        api.get("key") { _, _ in try Response.json(answer) }
    }
}
