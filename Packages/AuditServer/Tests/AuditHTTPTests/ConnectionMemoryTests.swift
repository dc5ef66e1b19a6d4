import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AuditHTTP

@Suite("What a connection keeps in memory")
struct ConnectionMemoryTests {
    @Test("after a large body a connection reads small parts into small buffers, and has kept none of the large ones")
    func buffers() {
        var pool = NIOPooledRecvBufferAllocator(capacity: 1, recvAllocator: NewBuffers(capacity: 1024))
        func read(_ byteCount: Int) -> ByteBuffer {
            pool.recvAllocator = NewBuffers(capacity: byteCount)
            let (buffer, _) = pool.buffer(allocator: ByteBufferAllocator()) { buffer in
                buffer.writeRepeatingByte(1, count: byteCount)
            }
            pool.record(actualReadBytes: byteCount)
            return buffer
        }

        let sizes = [1024, 65_536, 65_536, 65_536, 1024, 1024]
        #expect(sizes.map { read($0).capacity } == sizes)
        #expect(pool.count == 1)
    }

    /// Answers with the task that it was asked in.
    private struct TaskNamer: HTTPResponder {
        typealias Context = AuditRequestContext

        func respond(to request: Request, context: Context) async throws -> Response {
            if request.uri.path == "/refused" { throw HTTPError(.conflict) }
            if request.uri.path == "/late" { context.late.promise { Self.named } }
            return Self.named
        }

        private static var named: Response {
            let name = withUnsafeCurrentTask { task in "\(task.hashValue)" }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: name)))
        }
    }

    /// Asks the responder, and says in which task in the header that names the server.
    private struct Witness: HTTPResponder {
        typealias Context = AuditRequestContext

        let responder: StackPerRequest<TaskNamer>

        func respond(to request: Request, context: Context) async throws -> Response {
            let own = withUnsafeCurrentTask { task in "\(task.hashValue)" }
            do {
                let response = try await responder.respond(to: request, context: context)
                return Response(status: .ok, headers: [.server: own], body: response.body)
            } catch let error as HTTPError {
                return Response(status: error.status)
            }
        }
    }

    @Test("each request is answered in a task of its own, and an error passes")
    func tasks() async throws {
        let application = Application(responder: Witness(responder: StackPerRequest(responder: TaskNamer())))
        try await application.test(.router) { client in
            let answer = try await client.execute(uri: "/", method: .get)
            let asking = try #require(answer.headers[.server])
            #expect(asking != String(buffer: answer.body))
            #expect(!String(buffer: answer.body).isEmpty)
            let refused = try await client.execute(uri: "/refused", method: .get)
            #expect(refused.status == .conflict)
        }
    }

    @Test("a late answer is waited for in the task of the connection, without the stack of the request")
    func late() async throws {
        let application = Application(responder: Witness(responder: StackPerRequest(responder: TaskNamer())))
        try await application.test(.router) { client in
            let answer = try await client.execute(uri: "/late", method: .get)
            #expect(answer.headers[.server] == String(buffer: answer.body))
        }
    }
}
