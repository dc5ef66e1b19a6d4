public import AuditAccounts
import AuditAdmission
public import AuditExport
public import AuditKeeping
public import AuditModel
public import EventModel
public import EventProofs
public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import LogPublishing
public import Logging
import NIOCore
import ServiceLifecycle
public import SyncServer

/// The receiving end of Daybook as an application of Hummingbird: it stores what devices upload and answers with proof.
///
/// ```swift
/// let service = AuditService(configuration: .init(), store: store, index: index, accounts: accounts, tokens: tokens,
///     key: key)
/// try await service.run(logger: logger) { port in print("listening on port \(port)") }
/// ```
public struct AuditService: Sendable {
    /// The header of a listing that says where its next page starts; absent on the last page.
    public static let nextCursorHeader = EventCursor.header
    /// The header of an answer of what arrived that says that there is more at once.
    public static let isMoreHeader = EventCursor.isMoreHeader
    /// The header of such an answer that says that the server did not know the place: what came before may be missing.
    public static let beginsAnewHeader = EventCursor.beginsAnewHeader

    let configuration: ServerConfiguration
    let store: any AuditStore
    let accounts: any AccountStore
    let tokens: TokenIssuer
    let key: SigningKey
    let keyHistory: KeyHistory
    let term: SigningTerm?
    let clock: any EventClock
    let ids: any ObjectIdSource
    var index: any SearchEngine
    let exports: ExportFolder?
    let realms: (any ChangeStore)?
    let clockGuard: ClockGuard
    let logFolder: LogFolder?
    let checkFile: String?
    let trailFile: String?
    /// How the service waits before it looks for expired events, a minute after its start and every hour.
    package var keepingPause: ServicePause = { try await Task.sleep(for: $0) }

    /// How the service waits between two looks at the log of sealed partitions.
    package var publishingPause: ServicePause = { try await Task.sleep(for: $0) }

    /// How the service waits between two looks at what is stored.
    package var watchingPause: ServicePause = { try await Task.sleep(for: $0) }

    /// How the service waits between two seals of the auditors' trail.
    package var trailPause: ServicePause = { try await Task.sleep(for: $0) }

    /// How the service waits between two looks at the key that servers share.
    package var termPause: ServicePause = { try await Task.sleep(for: $0) }

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - configuration: How it behaves.
    ///   - store: Where events go.
    ///   - index: What makes searches quick.
    ///   - accounts: Where users with passwords are kept, and who was removed.
    ///   - tokens: Who issues and checks tokens.
    ///   - key: What receipts are signed with.
    ///   - keyHistory: How keys followed each other before that one; none did by default.
    ///   - term: For how long the key signs, where servers share it; nil for one that this server alone has.
    ///   - clock: The server's clock, which says when a stretch was received.
    ///   - ids: Where the ids of anonymous users come from.
    ///   - exports: Where exports are made; without a folder, none are.
    ///   - realms: Where realms are that devices share; without a store, there are none.
    ///   - clockGuard: What says whether the clock can be believed; without one, what is remembered of it ends with the process.
    ///   - logFolder: Where the log of sealed partitions is published; without one, it is not. Of one folder there is one server.
    ///   - trailFile: Where it is noted what of the auditors' trail is not sealed yet; without one, a process that dies leaves it open.
    ///   - checkFile: The file that says how far the checks of what is stored are, and what they found; without one, a restart begins
    ///     them anew.
    public init(
        configuration: ServerConfiguration,
        store: any AuditStore,
        index: any SearchEngine,
        accounts: any AccountStore,
        tokens: TokenIssuer,
        key: SigningKey,
        keyHistory: KeyHistory = KeyHistory(),
        term: SigningTerm? = nil,
        clock: any EventClock = SystemClock(),
        ids: any ObjectIdSource = ObjectIdGenerator.system,
        exports: ExportFolder? = nil,
        realms: (any ChangeStore)? = nil,
        clockGuard: ClockGuard? = nil,
        logFolder: LogFolder? = nil,
        trailFile: String? = nil,
        checkFile: String? = nil
    ) {
        self.configuration = configuration
        self.store = store
        self.accounts = accounts
        self.tokens = tokens
        self.key = term.map { key.limited(to: $0) } ?? key
        self.term = term
        self.keyHistory = keyHistory
        self.clock = clock
        self.ids = ids
        self.index = index
        self.exports = exports
        self.realms = realms
        self.clockGuard = clockGuard ?? ClockGuard(clock: clock)
        self.logFolder = logFolder
        self.checkFile = checkFile
        self.trailFile = trailFile
    }

    /// Serves until the process gets SIGTERM or SIGINT, and then ends gracefully.
    ///
    /// A stretch that is being stored at that moment is either stored and answered, or neither.
    ///
    /// - Parameters:
    ///   - logger: Where requests are noted, by route, status and time, and never by content.
    ///   - onListening: Called with the port once connections are accepted.
    /// - Throws: `AuditServerError.cannotListen(host:port:reason:)` when the address is taken or not allowed,
    ///   `AuditServerError.inaccessible(path:reason:)` when the certificate cannot be used, and what
    ///   ``prepareCollections()`` throws.
    public func run(logger: Logger, onListening: @escaping @Sendable (Int) async -> Void) async throws {
        try await term?.look()
        try await prepareCollections()
        // Before anybody uploads with a time of receipt that the clock then seems to agree with.
        _ = try await clockGuard.look(in: store)
        try await AuditServerError.namingListening(on: configuration.host, configuration.port) {
            try await application(logger: logger, onListening: onListening).runService()
        }
    }

    /// Creates the collections that the configuration describes, and adds the columns that they lack.
    ///
    /// ``run(logger:onListening:)`` does it; programs that run the application themselves call it before.
    ///
    /// - Throws: `AuditServerError` when a column cannot be added or the store does not answer.
    public func prepareCollections() async throws {
        for (app, settings) in configuration.apps.sorted(by: { $0.key < $1.key }) {
            guard let columns = settings.metadataColumns else { continue }
            try EventSchema.check(metadataColumns: columns)
            let known = try await store.metadataColumns(of: app)
            // Most starts find everything there, and need no write for it.
            if let known, Set(columns.map { Array($0.utf8) }).isSubset(of: known.map { Array($0.utf8) }) { continue }
            try await store.extendCollection(of: app, by: columns)
        }
    }

    /// Builds the application, for tests and for programs with more services of their own.
    ///
    /// - Parameters:
    ///   - logger: Where requests are noted, by route, status and time, and never by content.
    ///   - onListening: Called with the port once connections are accepted.
    /// - Returns: The application, which does not run yet.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the certificate cannot be used.
    public func application(
        logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        try index.show(by: configuration.masks, configuration.labels)
        let parts = try ServiceParts(of: self, logger: logger)
        var services: [any Service] = [
            IndexingService(store: shown, index: index, clock: clock, logger: logger),
            WatchService(parts, logger: logger, pause: watchingPause),
            KeepingService(keeper: parts.keeper, sessions: accounts, logger: logger, pause: keepingPause),
        ]
        if let exports = parts.exports { services.append(ExportService(jobs: exports)) }
        services += publishing(parts, logger)
        if let term { services.append(TermService(term: term, logger: logger, pause: termPause)) }
        // Ends before the log is published for the last time.
        services.append(
            TrailService(
                trail: parts.trail,
                recordsRuns: trailFile != nil,
                succession: keyHistory.successions.last,
                logger: logger,
                pause: trailPause
            )
        )
        return Application(
            responder: StackPerRequest(responder: routes(parts).router.buildResponder()),
            server: try server(parts),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "daybook",
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.limits.connections)
            ),
            services: services,
            onServerRunning: { channel in
                guard let port = channel.localAddress?.port else {
                    preconditionFailure("A server that listens on a host name has a port.")
                }
                await onListening(port)
            },
            logger: logger
        )
    }

    /// What publishes the log, has it cosigned and time-stamped, and copies it.
    private func publishing(_ parts: ServiceParts, _ logger: Logger) -> [any Service] {
        guard let publisher = parts.publisher, let cosigned = parts.cosigned, let stamped = parts.stamped else {
            return []
        }
        let publishing = PublishingService(
            publisher: publisher,
            cosigned: cosigned,
            log: store,
            clock: clock,
            desk: parts.desk,
            logger: logger,
            pause: publishingPause
        )
        var services: [any Service] = [publishing]
        let addresses = configuration.witnesses.addresses
        if !addresses.isEmpty {
            services.append(
                WitnessingService(
                    publisher: publisher,
                    cosigned: cosigned,
                    askers: addresses.map { WitnessAsker($0, log: store, transport: OutsideClient()) },
                    clock: clock,
                    logger: logger,
                    pause: publishingPause
                )
            )
        }
        if let settings = configuration.timeStamps {
            services.append(
                TimeStampingService(
                    cosigned: cosigned,
                    stamped: stamped,
                    asker: TimeStampAsker(settings, of: stamped, transport: OutsideClient()),
                    clock: clock,
                    logger: logger,
                    pause: publishingPause
                )
            )
        }
        if let settings = configuration.logBucket {
            services.append(
                CopyingService(
                    copied: parts.copied,
                    copier: LogCopier(
                        settings,
                        publisher: publisher,
                        cosigned: cosigned,
                        stamped: stamped,
                        log: store,
                        copied: parts.copied,
                        transport: OutsideClient(patience: .seconds(60)),
                        clock: clock
                    ),
                    logger: logger,
                    pause: publishingPause
                )
            )
        }
        return services
    }

    /// Returns all routes with who may use them.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` when the folder of exports cannot be used.
    package func routes() throws -> RouteTable { routes(try ServiceParts(of: self)).table }

    /// HTTP/1.1, with TLS if there is a certificate; connections that say nothing for long are closed.
    private func server(_ parts: ServiceParts) throws(AuditServerError) -> HTTPServerBuilder {
        let addresses = ClientAddress(header: configuration.clientAddressHeader)
        let channels = HTTP1Channel.Configuration(
            additionalChannelHandlers: [SmallReads(), BodyPacer(parts.slow), UploadDoor(parts.gate, addresses)],
            idleTimeout: .seconds(Int64(configuration.limits.idleSeconds))
        )
        let plain = HTTPServerBuilder { responder in
            AcceptedChannel(base: HTTP1Channel(responder: responder, configuration: channels))
        }
        guard let certificate = configuration.certificate else { return plain }
        do {
            return try .tls(plain, tlsConfiguration: certificate.tlsConfiguration())
        } catch let error as AuditServerError {
            throw error
        } catch {
            throw .inaccessible(path: certificate.keyFile, reason: "TLS cannot be set up with it")
        }
    }
}
