import Hummingbird
import LogPublishing
import Logging

extension SampleAuthority {
    /// Answers over HTTP on a free port of this machine, for as long as a test needs it.
    ///
    /// - Parameter body: The work, with the address that it is asked at.
    /// - Throws: What the body throws, and what keeps the authority from starting.
    public func serving(_ body: (String) async throws -> Void) async throws {
        let router = Router()
        router.post("tsr") { request, _ in
            let bytes = try await request.body.collect(upTo: 10_000)
            let type = request.headers[.contentType] ?? ""
            guard
                let answer = try? await self.post(Array(bytes.readableBytesView), as: type, to: "", limit: 65_536)
            else { return Response(status: .serviceUnavailable) }
            return Response(
                status: .init(code: answer.status),
                headers: [.contentType: answer.contentType ?? "text/plain"],
                body: .init(byteBuffer: ByteBuffer(bytes: answer.body))
            )
        }
        // One port is told; the end of the server finishes the stream.
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in if let port = channel.localAddress?.port { found.yield(port) } },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                try await application.run()
            }
            for await port in ports {
                try await body("http://127.0.0.1:\(port)/tsr")
                break
            }
            group.cancelAll()
            // The server answers its cancellation with an error, which is what was asked for.
            do { try await group.waitForAll() } catch is CancellationError { return }
        }
    }
}
