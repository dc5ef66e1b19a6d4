import Hummingbird
import LogPublishing

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
        try await RunningServer.with(router) { port in try await body("http://127.0.0.1:\(port)/tsr") }
    }
}
