import AuditAccounts
import AuditAdmission
import AuditModel
import AuditReview
import AuditSearch

/// What several features' routes share and nothing else needs: who somebody is, what they may ask, and the seal of cursors.
struct RouteParts: Sendable {
    let limits: RequestLimits
    let signIn: SignIn
    let check: TokenCheck
    let sessions: SessionDesk
    let cursors: CursorSeal

    /// Makes the parts of a service.
    init(of service: AuditService, _ parts: ServiceParts) {
        let configuration = service.configuration
        limits = RequestLimits(configuration.limits, clock: service.clock)
        signIn = SignIn(
            apps: configuration.served,
            passwordCost: PasswordHash.Cost(logarithm: configuration.passwordCost),
            accounts: service.accounts,
            limits: limits,
            quotas: parts.quotas,
            clock: service.clock,
            ids: service.ids
        )
        let checks = SessionChecks(store: service.accounts, clock: service.clock)
        check = TokenCheck(tokens: service.tokens, accounts: service.accounts, sessions: checks, signIn: signIn)
        sessions = SessionDesk(
            accounts: service.accounts,
            checks: checks,
            signIn: signIn,
            maximum: configuration.limits.sessionsPerUser,
            clock: service.clock,
            ids: service.ids,
            trail: parts.trail,
            metrics: parts.metrics
        )
        cursors = CursorSeal(service.key)
    }
}
