import AuditAccounts
import AuditModel

/// Who may use a route, and what its handler learns of them.
///
/// A handler takes an `Asker`, and a permission is the one that makes it. So no handler checks who asks, and none is reached by
/// somebody who may not use it.
struct Permission<Asker: Sendable>: Sendable {
    /// What the table of routes and `openapi.json` call it.
    let name: String
    let rule: Rule

    /// How the asker comes about.
    enum Rule: Sendable {
        /// Nobody is asked for a token.
        case open(Asker)
        /// From whom the token is of, and the apps that are served; throws for whoever may not use the route.
        case token(@Sendable (Identity, ServedApps) throws(AuditServerError) -> Asker)
    }

    /// Describes a permission that asks for a token.
    ///
    /// - Parameters:
    ///   - name: What the table of routes calls it.
    ///   - asker: Makes the asker, or throws `AuditServerError.forbidden(reason:)`.
    init(_ name: String, _ asker: @escaping @Sendable (Identity, ServedApps) throws(AuditServerError) -> Asker) {
        self.name = name
        rule = .token(asker)
    }

    /// Describes a permission that asks for no token.
    init(open name: String, _ asker: Asker) {
        self.name = name
        rule = .open(asker)
    }
}
