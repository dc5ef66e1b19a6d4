import EventModel
import Hummingbird

/// What anybody may ask: the public key that receipts and tree heads are signed with.
struct KeyRoutes: Sendable {
    let key: SigningKey

    private struct Answer: Encodable {
        let algorithm = "Ed25519"
        let publicKey: String
    }

    func add(to api: RouterGroup<AuditRequestContext>) {
        api.get("key") { _, _ in try Response.json(Answer(publicKey: Hexadecimal.text(key.publicKey))) }
    }
}
