import AsyncHTTPClient
import LogPublishing
import NIOCore
import NIOHTTP1

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reaches witnesses, authorities of time and buckets over HTTP: no redirect is followed, and an answer is bounded and comes soon.
struct OutsideClient: OutsideTransport, BucketTransport {
    /// How long there is for the whole answer.
    var patience = Duration.seconds(10)

    private static let client = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Whoever is not there is asked again a little later, and not over and over.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Why there is no answer, in a few words.
    private struct NoAnswer: Error, CustomStringConvertible {
        let description: String
    }

    func post(
        _ body: [UInt8],
        as contentType: String,
        to url: String,
        limit: Int
    ) async throws -> OutsideResponse {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: contentType)
        request.body = .bytes(ByteBuffer(bytes: body))
        return try await answer(to: request, limit)
    }

    func exchange(_ request: BucketRequest, limit: Int) async throws -> OutsideResponse {
        var sent = HTTPClientRequest(url: request.url)
        sent.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers { sent.headers.add(name: field.name, value: field.value) }
        if request.method == .put { sent.body = .bytes(ByteBuffer(bytes: request.body)) }
        return try await answer(to: sent, limit)
    }

    private func answer(to request: HTTPClientRequest, _ limit: Int) async throws -> OutsideResponse {
        try await withThrowingTaskGroup(of: OutsideResponse.self) { group in
            group.addTask { try await Self.exchange(request, limit) }
            group.addTask { [patience] in
                // LIVE: whoever sends byte after byte is not waited for.
                try await Task.sleep(for: patience)
                throw NoAnswer(description: "it took longer than \(patience)")
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    private static func exchange(_ request: HTTPClientRequest, _ limit: Int) async throws -> OutsideResponse {
        do {
            let response = try await client.execute(request, deadline: .distantFuture)
            let bytes = try await response.body.collect(upTo: limit)
            return OutsideResponse(
                status: Int(response.status.code),
                contentType: response.headers.first(name: "Content-Type"),
                entityTag: response.headers.first(name: "ETag"),
                body: Array(bytes.readableBytesView)
            )
        } catch is NIOTooManyBytesError {
            throw NoAnswer(description: "its answer has more than \(limit) bytes")
        } catch let error as HTTPClientError {
            throw NoAnswer(description: error.shortDescription)
        } catch let error as IOError {
            // Its own description is that of the call that failed, for programmers.
            throw NoAnswer(description: String(cString: strerror(error.errnoCode)))
        }
    }
}
