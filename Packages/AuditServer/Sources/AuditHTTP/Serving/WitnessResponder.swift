import EventProofs
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LogWitness
import NIOCore

/// Answers every request to a witness.
struct WitnessResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let keeper: WitnessKeeper
    let prefix: String

    @concurrent
    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        // TEXT: a path is compared as it was sent; one in another form is served nothing.
        switch request.uri.path {
        case "\(prefix)/add-checkpoint":
            guard request.method == .post else {
                return Self.refusal(.methodNotAllowed, "Send a checkpoint with POST.")
            }
            return try await add(request)
        case "/", "\(prefix)/":
            guard request.method == .get else { return Self.refusal(.methodNotAllowed, "Ask with GET.") }
            let name = keeper.verifierKey.name
            let text = """
                This is the witness \(name), which cosigns checkpoints of transparency logs that are sent to \(prefix)/add-checkpoint.
                Its key is \(keeper.verifierKey)

                """
            return Self.response(.ok, "text/plain; charset=utf-8", Array(text.utf8))
        default:
            return Self.refusal(.notFound, "Nothing is served at this path; a witness has \(prefix)/add-checkpoint.")
        }
    }

    private func add(_ request: Request) async throws -> Response {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: WitnessRequest.maximumBytes)
        } catch is NIOTooManyBytesError {
            return Self.refusal(.contentTooLarge, "A request has at most \(WitnessRequest.maximumBytes) bytes.")
        }
        let reply = await keeper.answer(Array(body.readableBytesView))
        return Self.response(HTTPResponse.Status(code: reply.status), reply.contentType, reply.body)
    }

    private static func refusal(_ status: HTTPResponse.Status, _ sentence: String) -> Response {
        var response = response(status, "text/plain; charset=utf-8", Array("\(sentence)\n".utf8))
        if status == .methodNotAllowed { response.headers[.allow] = sentence.hasSuffix("GET.") ? "GET" : "POST" }
        // What is left of a body that nobody wants would be waited for.
        response.headers[.connection] = "close"
        return response
    }

    private static func response(_ status: HTTPResponse.Status, _ type: String, _ body: [UInt8]) -> Response {
        Response(
            status: status,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }
}
