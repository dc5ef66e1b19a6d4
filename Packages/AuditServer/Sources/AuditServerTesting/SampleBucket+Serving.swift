import Foundation
import Hummingbird
import LogPublishing

extension SampleBucket {
    /// Answers over HTTP on a free port of this machine, for as long as a test needs it.
    ///
    /// - Parameter body: The work, with the address of the store.
    /// - Throws: What the body throws, and what keeps the store from starting.
    public func serving(_ body: (String) async throws -> Void) async throws {
        let router = Router()
        for method in [BucketRequest.Method.get, .put, .delete] {
            router.on("**", method: .init(rawValue: method.rawValue) ?? .get) { request, _ in
                let bytes = try await request.body.collect(upTo: 20_000_000)
                guard let url = URLComponents(string: request.uri.string) else { return Response(status: .badRequest) }
                let answer = try? self.answer(to: method, url, Array(bytes.readableBytesView)) { name in
                    request.headers.first { $0.name.canonicalName == name }?.value
                }
                guard let answer else { return Response(status: .serviceUnavailable) }
                var headers: HTTPFields = [.contentType: answer.contentType ?? "text/plain"]
                headers[.eTag] = answer.entityTag
                return Response(
                    status: .init(code: answer.status),
                    headers: headers,
                    body: .init(byteBuffer: ByteBuffer(bytes: answer.body))
                )
            }
        }
        try await RunningServer.with(router) { port in try await body("http://127.0.0.1:\(port)") }
    }
}
