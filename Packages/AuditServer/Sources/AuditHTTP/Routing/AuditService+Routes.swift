import AuditAdmission
import AuditModel
import AuditReview
import EventModel
import EventProofs
import Hummingbird
import LogPublishing

extension AuditService {
    /// What everything reads that shows events; whole events are for unmasking alone.
    var shown: MaskedEvents { MaskedEvents(store, configuration.masks) }

    /// The public keys that receipts are signed with, and were.
    var receiptKeys: [[UInt8]] { [key.publicKey] + earlierKeys }

    /// The public keys that receipts were signed with, the newest first: those that the present one followed, and those of the configuration.
    var earlierKeys: [[UInt8]] {
        let former = keyHistory.former.reversed().map(\.receipts)
        return former + configuration.earlierKeys.filter { !former.contains($0) && $0 != key.publicKey }
    }

    /// The name of the log: that of the configuration, or one that the server's first key makes its own.
    var logOrigin: ExactText {
        let first = keyHistory.former.first?.receipts ?? key.publicKey
        return ExactText(configuration.logOrigin ?? "daybook/\(Hexadecimal.text(first.prefix(8)))")
    }

    /// The keys that checkpoints were signed with before.
    var formerLogKeys: [NoteVerifierKey] {
        get throws(ProofError) {
            let origin = logOrigin
            var keys: [NoteVerifierKey] = []
            for key in keyHistory.former {
                keys.append(try NoteVerifierKey(name: origin, algorithm: .ed25519, publicKey: key.log))
            }
            return keys
        }
    }

    /// Joins the routes.
    func routes(_ parts: ServiceParts) -> (router: Router<AuditRequestContext>, table: RouteTable) {
        let shared = RouteParts(of: self, parts)
        let router = router(parts)
        let api = API(router, AccessCheck(tokens: shared.check, limits: shared.limits, served: configuration.served))
        addServing(shared, parts, to: api)
        addAccounts(shared, parts, to: api)
        addEvents(shared, parts, to: api)
        addSearch(shared, parts, to: api)
        addReviews(shared, parts, to: api)
        ExportRoutes(jobs: parts.exports, masks: configuration.masks, trail: parts.trail).add(to: api)
        RealmRoutes(
            realms: parts.realms,
            configuration: configuration,
            metrics: parts.metrics,
            quotas: parts.quotas,
            gate: parts.gate
        )
        .add(to: api)
        ClassRoutes(realms: parts.realms, apps: configuration.served, trail: parts.trail).add(to: api)
        KeepingRoutes(store: store, keeper: parts.keeper).add(to: api)
        return (router, api.table)
    }

    /// Makes a router without routes, which bounds, times and notes every request.
    private func router(_ parts: ServiceParts) -> Router<AuditRequestContext> {
        let router = Router(context: AuditRequestContext.self)
        router.add(middleware: AnswerMiddleware(clock: clock, metrics: parts.metrics))
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
        return router
    }

    private func addServing(_ shared: RouteParts, _ parts: ServiceParts, to api: API) {
        HealthRoutes(
            store: shown,
            findings: parts.desk.findings,
            cosigned: parts.cosigned,
            stamped: parts.stamped,
            copied: parts.copied,
            term: term
        )
        .add(to: api)
        KeyRoutes(
            key: key,
            earlierKeys: earlierKeys,
            history: keyHistory,
            logKey: parts.publisher?.verifierKey.description
        )
        .add(to: api)
        MetricsRoutes(metrics: parts.metrics, findings: parts.desk.findings).add(to: api)
        ConsoleRoutes().add(to: api)
        ConsoleSession(
            check: shared.check,
            limits: shared.limits,
            maximumSessions: configuration.limits.sessionsPerUser,
            clock: clock,
            ids: ids,
            trail: parts.trail,
            isSecure: configuration.certificate != nil
        )
        .add(to: api)
    }

    private func addAccounts(_ shared: RouteParts, _ parts: ServiceParts, to api: API) {
        let (signIn, sessions) = (shared.signIn, shared.sessions)
        SignInRoutes(signIn: signIn, check: shared.check, limits: shared.limits, sessions: sessions).add(to: api)
        UserRoutes(signIn: signIn, sessions: sessions, trail: parts.trail).add(to: api)
        TokenRoutes(accounts: accounts, tokens: tokens, clock: clock, ids: ids, trail: parts.trail).add(to: api)
    }

    private func addEvents(_ shared: RouteParts, _ parts: ServiceParts, to api: API) {
        let (events, trail, cursors) = (shown, parts.trail, shared.cursors)
        UploadRoutes(
            store: store,
            events: shown,
            configuration: configuration,
            index: index,
            key: key,
            clock: clock,
            metrics: parts.metrics,
            quotas: parts.quotas,
            gate: parts.gate
        )
        .add(to: api)
        SchemaRoutes(collections: store, apps: configuration.served, trail: trail).add(to: api)
        ListingRoutes(store: events, trail: trail, cursors: cursors).add(to: api)
        EventRoutes(store: events, masks: configuration.masks, index: index, trail: trail, cursors: cursors)
            .add(to: api)
        UnmaskRoutes(
            whole: store,
            proofs: store,
            masks: configuration.masks,
            labels: configuration.labels,
            purposes: configuration.unmaskingPurposes,
            index: index,
            keys: receiptKeys,
            clock: clock,
            limits: shared.limits,
            trail: trail
        )
        .add(to: api)
        LogRoutes(log: store, key: key, clock: clock, cursors: cursors).add(to: api)
        PublishedLogRoutes(publisher: parts.publisher, cosigned: parts.cosigned).add(to: api)
        ProofRoutes(log: store, cosigned: parts.cosigned, stamped: parts.stamped).add(to: api)
        TimeStampRoutes(stamped: parts.stamped).add(to: api)
    }

    private func addSearch(_ shared: RouteParts, _ parts: ServiceParts, to api: API) {
        let (events, masks, labels) = (shown, configuration.masks, configuration.labels)
        let (trail, cursors) = (parts.trail, shared.cursors)
        SearchRoutes(
            store: events,
            proofs: store,
            masks: masks,
            labels: labels,
            index: index,
            keys: receiptKeys,
            trail: trail,
            clock: clock,
            cursors: cursors
        )
        .add(to: api)
        CompletenessRoutes(store: events, index: index, trail: trail, desk: parts.desk).add(to: api)
        TimelineRoutes(
            store: events,
            masks: masks,
            labels: labels,
            index: index,
            trail: trail,
            clock: clock,
            cursors: cursors
        )
        .add(to: api)
        NameRoutes(
            store: events,
            labels: labels,
            apps: configuration.served,
            index: index,
            trail: trail,
            clock: clock
        )
        .add(to: api)
        PeopleRoutes(apps: configuration.served).add(to: api)
        ReconstructionRoutes(store: events, masks: masks, index: index, trail: trail, clock: clock).add(to: api)
    }

    private func addReviews(_ shared: RouteParts, _ parts: ServiceParts, to api: API) {
        ViewRoutes(desk: parts.desk, accounts: accounts, ids: ids).add(to: api)
        NoteRoutes(desk: parts.desk, accounts: accounts).add(to: api)
        ReviewRoutes(desk: parts.desk, accounts: accounts, ids: ids).add(to: api)
        AlertRoutes(desk: parts.desk, accounts: accounts).add(to: api)
        KeyStatementRoutes(desk: parts.desk, accounts: accounts, apps: configuration.served).add(to: api)
        KeyRegistrationRoutes(
            desk: parts.desk,
            apps: configuration.served,
            quotas: parts.quotas,
            key: key,
            receiptKeys: receiptKeys,
            cursors: shared.cursors
        )
        .add(to: api)
    }
}
