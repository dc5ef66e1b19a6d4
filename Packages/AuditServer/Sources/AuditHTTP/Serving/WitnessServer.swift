import AuditModel
import Hummingbird
import HummingbirdCore
public import LogWitness
import Logging
import NIOCore

/// A witness of transparency logs as an application of Hummingbird: `add-checkpoint` of tlog-witness, and nothing else.
///
/// ```swift
/// let server = WitnessServer(keeper, host: "127.0.0.1", port: 8081)
/// try await server.run { port in print("listening on port \(port)") }
/// ```
/// It has no TLS of its own: a proxy in front of it does, where logs ask from other machines.
public struct WitnessServer: Sendable {
    /// How many connections there may be at once, each with a request of at most a quarter of a megabyte.
    static let maximumConnections = 128
    /// How long a connection may take to bring a whole request, in seconds, and how long it may rest between two.
    static let requestSeconds: Int64 = 15
    /// How long an answer may stand still, in seconds.
    static let idleSeconds: Int64 = 30

    private let host: String
    private let port: Int
    private let responder: WitnessResponder

    /// Prepares the server.
    ///
    /// - Parameters:
    ///   - keeper: The witness.
    ///   - host: The address to listen on.
    ///   - port: The port; 0 for any free one.
    ///   - prefix: What stands in front of `/add-checkpoint`: empty, or a path that begins with a slash and does not end with one.
    public init(_ keeper: WitnessKeeper, host: String, port: Int, prefix: String = "") {
        self.host = host
        self.port = port
        responder = WitnessResponder(keeper: keeper, prefix: prefix)
    }

    /// Serves until the process gets SIGTERM or SIGINT, and then ends gracefully.
    ///
    /// - Parameter onListening: Called with the port once connections are accepted.
    /// - Throws: `AuditServerError.cannotListen(host:port:reason:)` when the address is taken or not allowed.
    public func run(onListening: @escaping @Sendable (Int) async -> Void) async throws {
        try await AuditServerError.namingListening(on: host, port) { try await application(onListening).runService() }
    }

    /// Serves until the task is cancelled, whatever signals the process gets.
    ///
    /// - Parameter onListening: Called with the port once connections are accepted.
    /// - Throws: What keeps the server from starting.
    package func serve(onListening: @escaping @Sendable (Int) async -> Void) async throws {
        do {
            try await application(onListening).run()
        } catch is CancellationError {
            // That is what was asked for.
            return
        }
    }

    private func application(_ onListening: @escaping @Sendable (Int) async -> Void) -> some ApplicationProtocol {
        let channels = HTTP1Channel.Configuration(
            additionalChannelHandlers: [RequestDeadline(.seconds(Self.requestSeconds))],
            idleTimeout: .seconds(Self.idleSeconds)
        )
        return Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                AcceptedChannel(base: HTTP1Channel(responder: responder, configuration: channels))
            },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: "daybook",
                availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumConnections)
            ),
            onServerRunning: { channel in
                guard let port = channel.localAddress?.port else {
                    preconditionFailure("A server that listens on a host name has a port.")
                }
                await onListening(port)
            },
            logger: Logger(label: "daybook", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }
}
