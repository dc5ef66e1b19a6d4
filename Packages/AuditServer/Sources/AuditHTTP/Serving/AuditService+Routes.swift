import AuditAccounts
import AuditAdmission
import AuditModel
import AuditSearch
import EventModel
import Hummingbird
import Logging

extension AuditService {
    /// What everything reads that shows events; whole events are for unmasking alone.
    var shown: MaskedEventStore { MaskedEventStore(store, configuration.masks) }

    /// The public keys that receipts are signed with, and were.
    var receiptKeys: [[UInt8]] { [key.publicKey] + configuration.earlierKeys }

    /// Joins the routes.
    func router(_ parts: ServiceParts) -> Router<AuditRequestContext> {
        let (whole, store) = (self.store, shown)
        let (desk, metrics, trail) = (parts.desk, parts.metrics, parts.trail)
        let limits = RequestLimits(configuration.limits, clock: clock)
        let signIn = SignIn(
            apps: configuration.served,
            passwordCost: PasswordHash.Cost(logarithm: configuration.passwordCost),
            accounts: accounts,
            limits: limits,
            quotas: parts.quotas,
            clock: clock,
            ids: ids
        )
        let cursors = CursorSeal(key)
        let checks = SessionChecks(store: accounts, clock: clock)
        let check = TokenCheck(tokens: tokens, accounts: accounts, sessions: checks, signIn: signIn)
        let sessions = SessionDesk(
            accounts: accounts,
            checks: checks,
            signIn: signIn,
            maximum: configuration.limits.sessionsPerUser,
            clock: clock,
            ids: ids,
            trail: trail,
            metrics: metrics
        )
        let router = Router(context: AuditRequestContext.self)
        router.add(middleware: AnswerMiddleware(clock: clock, metrics: metrics))
        router.add(
            middleware: RequestBoundsMiddleware(
                bodySeconds: configuration.limits.bodySeconds,
                clock: clock,
                slow: parts.slow
            )
        )
        router.add(
            middleware: ClientAddressMiddleware(addresses: ClientAddress(header: configuration.clientAddressHeader))
        )
        HealthRoutes(store: store).add(to: router)
        let api = router.group("api/v1")
        KeyRoutes(key: key, earlierKeys: configuration.earlierKeys).add(to: api)
        let accountRoutes = AccountRoutes(signIn: signIn, check: check, limits: limits, sessions: sessions)
        accountRoutes.add(to: api)
        ConsoleRoutes().add(to: router)
        let session = ConsoleSession(
            check: check,
            limits: limits,
            maximumSessions: configuration.limits.sessionsPerUser,
            clock: clock,
            ids: ids,
            trail: trail,
            isSecure: configuration.certificate != nil
        )
        session.add(to: api)
        let authenticated = api.group()
            .add(middleware: AccessMiddleware(check: check, limits: limits))
        accountRoutes.addAuthenticated(to: authenticated)
        AdminRoutes(signIn: signIn, sessions: sessions, trail: trail).add(to: authenticated)
        TokenRoutes(accounts: accounts, tokens: tokens, clock: clock, ids: ids, trail: trail).add(to: authenticated)
        UploadRoutes(
            store: store,
            configuration: configuration,
            index: index,
            key: key,
            clock: clock,
            metrics: metrics,
            quotas: parts.quotas,
            gates: UploadGates()
        )
        .add(to: authenticated)
        SchemaRoutes(store: store, configuration: configuration, trail: trail).add(to: authenticated)
        AuditRoutes(store: store, configuration: configuration, trail: trail, cursors: cursors).add(to: authenticated)
        SearchRoutes(
            store: store,
            configuration: configuration,
            index: index,
            keys: receiptKeys,
            trail: trail,
            clock: clock,
            cursors: cursors
        )
        .add(to: authenticated)
        ViewRoutes(desk: desk, accounts: accounts, configuration: configuration, ids: ids).add(to: authenticated)
        NoteRoutes(desk: desk, accounts: accounts, configuration: configuration).add(to: authenticated)
        ReviewRoutes(desk: desk, accounts: accounts, configuration: configuration, ids: ids).add(to: authenticated)
        AlertRoutes(desk: desk, accounts: accounts, configuration: configuration).add(to: authenticated)
        ExportRoutes(jobs: parts.exports, configuration: configuration, trail: trail).add(to: authenticated)
        EventRoutes(store: store, configuration: configuration, index: index, trail: trail, cursors: cursors)
            .add(to: authenticated)
        CompletenessRoutes(store: store, configuration: configuration, index: index, trail: trail, desk: desk)
            .add(to: authenticated)
        TimelineRoutes(
            store: store,
            configuration: configuration,
            index: index,
            trail: trail,
            clock: clock,
            cursors: cursors
        )
        .add(to: authenticated)
        ReconstructionRoutes(store: store, configuration: configuration, index: index, trail: trail, clock: clock)
            .add(to: authenticated)
        KeepingRoutes(store: store, keeper: parts.keeper).add(to: authenticated)
        UnmaskRoutes(
            whole: whole,
            configuration: configuration,
            index: index,
            keys: receiptKeys,
            clock: clock,
            limits: limits,
            trail: trail
        )
        .add(to: authenticated)
        session.addAuthenticated(to: authenticated)
        LogRoutes(store: store, configuration: configuration, key: key, clock: clock, cursors: cursors)
            .add(to: authenticated)
        MetricsRoutes(metrics: metrics).add(to: authenticated)
        return router
    }
}
