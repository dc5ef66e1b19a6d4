import AuditHTTP
import EventModel
public import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import RealmWindow
import ServiceLifecycle
import UnixSignals

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server for one developer on this machine that shows a realm file in the browser, and writes nothing to it.
///
/// ```swift
/// let browser = try RealmBrowser(URL(fileURLWithPath: "ward.realm"))
/// try await browser.run { address in print("open \(address)") }
/// ```
/// It listens on 127.0.0.1 alone. Other users of the machine reach that, too: they learn nothing without the token in the address, which
/// is made anew for every run. Whoever has it may read the whole file.
public struct RealmBrowser: Sendable {
    /// How many connections there may be at once.
    static let maximumConnections = 128
    /// How long a connection may take to bring a whole request, in seconds: within a machine it is there at once.
    static let requestSeconds: Int64 = 3
    /// How long an answer may stand still, in seconds.
    static let idleSeconds: Int64 = 60
    /// How long the answers that are on their way may take when the server ends, in seconds.
    static let endSeconds: Int64 = 3

    private let port: Int
    private let door: Door
    private let responder: BrowserResponder
    /// How long a connection may take to bring a whole request.
    var requestPatience: TimeAmount = .seconds(RealmBrowser.requestSeconds)

    /// Looks whether the file can be opened, and prepares the server.
    ///
    /// - Parameters:
    ///   - file: The file, which must exist.
    ///   - encryptionKey: The key of an encrypted file, 64 bytes.
    ///   - port: The port to listen on; 0, the default, lets the system choose a free one.
    /// - Throws: As `RealmWindow.init(_:encryptionKey:isWritable:)`.
    public init(_ file: URL, encryptionKey: Data? = nil, port: Int = 0) throws {
        // LIVE: the system's own chance, which nobody guesses.
        var generator = SystemRandomNumberGenerator()
        // LIVE: the clock by which the system says when a file changed.
        try self.init(file, encryptionKey, port, BrowserSecrets(using: &generator), SystemClock())
    }

    init(
        _ file: URL,
        _ encryptionKey: Data?,
        _ port: Int,
        _ secrets: BrowserSecrets,
        _ clock: any EventClock
    ) throws {
        // What is wrong with the file or its key is said here, and not to a browser later.
        _ = try RealmWindow(file, encryptionKey: encryptionKey)
        self.port = port
        door = Door(secrets)
        let state = FileState(path: file.path, clock: clock)
        responder = BrowserResponder(
            door: door,
            questions: FileQuestions(
                name: file.lastPathComponent,
                reader: FileReader(file, key: encryptionKey),
                state: state
            ),
            wait: ChangeWait(state: state)
        )
    }

    /// Serves until the process gets SIGINT (Control-C) or SIGTERM.
    ///
    /// - Parameter onListening: Called with the address to open once connections are accepted; it has the token.
    /// - Throws: ``RealmBrowserError/cannotListen(port:reason:)`` when the port is taken or not allowed.
    public func run(onListening: @escaping @Sendable (String) async -> Void) async throws {
        let logger = Logger(label: "daybook", factory: { _ in SwiftLogNoOpLogHandler() })
        var configuration = ServiceGroupConfiguration(
            services: [application(logger, onListening)],
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: logger
        )
        // Somebody who reads an answer slowly does not keep the command from ending.
        configuration.maximumGracefulShutdownDuration = .seconds(Self.endSeconds)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is CancellationError {
            // The time was over, which is what was asked for.
            return
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode)).lowercased()
            throw RealmBrowserError.cannotListen(port: port, reason: reason)
        }
    }

    /// Serves until the task is cancelled, whatever signals the process gets.
    ///
    /// - Parameter onListening: Called with the address to open once connections are accepted; it has the token.
    /// - Throws: What keeps the server from starting.
    package func serve(onListening: @escaping @Sendable (String) async -> Void) async throws {
        let logger = Logger(label: "daybook", factory: { _ in SwiftLogNoOpLogHandler() })
        do {
            try await application(logger, onListening).run()
        } catch is CancellationError {
            return
        }
    }

    /// Builds the application, which does not run yet.
    func application(
        _ logger: Logger,
        _ onListening: @escaping @Sendable (String) async -> Void
    ) -> some ApplicationProtocol {
        let channels = HTTP1Channel.Configuration(
            additionalChannelHandlers: [RequestDeadline(requestPatience)],
            idleTimeout: .seconds(Self.idleSeconds),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 32_768,
                maxHeaderListSize: 32_768,
                maxHeaderFieldCount: 100
            )
        )
        return Application(
            responder: responder,
            server: HTTPServerBuilder { responder in
                AcceptedChannel(base: HTTP1Channel(responder: responder, configuration: channels))
            },
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port),
                serverName: "daybook",
                availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumConnections)
            ),
            onServerRunning: { [door] channel in
                guard let port = channel.localAddress?.port else {
                    preconditionFailure("A server that listens on a host name has a port.")
                }
                door.open(port)
                await onListening(door.address(port))
            },
            logger: logger
        )
    }
}
