public import EventModel
public import Hummingbird
public import Logging
import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The receiving end of Daybook as an application of Hummingbird: it stores what devices upload and answers with proof.
///
/// ```swift
/// let service = AuditService(configuration: .init(), store: store, tokens: tokens)
/// try await service.run(logger: logger) { port in print("listening on port \(port)") }
/// ```
public struct AuditService: Sendable {
    /// The header of a listing that says where its next page starts; absent on the last page.
    public static let nextCursorHeader = "Daybook-Next-Cursor"

    private let configuration: ServerConfiguration
    private let store: any EventStore
    private let tokens: TokenIssuer
    private let clock: any EventClock
    private let ids: any ObjectIdSource

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - configuration: How it behaves.
    ///   - store: Where events go.
    ///   - tokens: Who issues and checks tokens.
    ///   - clock: The server's clock, which says when a stretch was received.
    ///   - ids: Where the ids of anonymous users come from.
    public init(
        configuration: ServerConfiguration,
        store: any EventStore,
        tokens: TokenIssuer,
        clock: any EventClock = SystemClock(),
        ids: any ObjectIdSource = ObjectIdGenerator.system
    ) {
        self.configuration = configuration
        self.store = store
        self.tokens = tokens
        self.clock = clock
        self.ids = ids
    }

    /// Serves until the process gets SIGTERM or SIGINT, and then ends gracefully.
    ///
    /// A stretch that is being stored at that moment is either stored and answered, or neither.
    ///
    /// - Parameters:
    ///   - logger: Where requests are noted, by route, status and time, and never by content.
    ///   - onListening: Called with the port once connections are accepted.
    /// - Throws: ``AuditServerError/cannotListen(host:port:reason:)`` when the address is taken or not allowed.
    public func run(logger: Logger, onListening: @escaping @Sendable (Int) async -> Void) async throws {
        do {
            try await application(logger: logger, onListening: onListening).runService()
        } catch let error as IOError {
            throw cannotListen(String(cString: strerror(error.errnoCode)).lowercased())
        } catch let error as SocketAddressError {
            throw cannotListen("\(error)")
        }
    }

    private func cannotListen(_ reason: String) -> AuditServerError {
        .cannotListen(host: configuration.host, port: configuration.port, reason: reason)
    }

    /// Builds the application, for tests and for programs with more services of their own.
    ///
    /// - Parameters:
    ///   - logger: Where requests are noted, by route, status and time, and never by content.
    ///   - onListening: Called with the port once connections are accepted.
    /// - Returns: The application, which does not run yet.
    public func application(
        logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router(context: AuditRequestContext.self)
        router.add(middleware: AnswerMiddleware(clock: clock))
        HealthRoutes(store: store).add(to: router)
        let api = router.group("api/v1")
        AccountRoutes(configuration: configuration, tokens: tokens, ids: ids).add(to: api)
        let authenticated = api.group().add(middleware: AccessMiddleware(tokens: tokens))
        UploadRoutes(store: store, clock: clock).add(to: authenticated)
        AuditRoutes(store: store).add(to: authenticated)
        return Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "daybook"
            ),
            onServerRunning: { channel in
                guard let port = channel.localAddress?.port else {
                    preconditionFailure("A server that listens on a host name has a port.")
                }
                await onListening(port)
            },
            logger: logger
        )
    }
}
