import AuditConsole
import AuditModel
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The pages of the console; anybody may load them, and none shows anything without a session.
struct ConsoleRoutes: Sendable {
    /// What a page may load and do: files of this server, and nothing that is written into a page.
    private static let contentPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
        form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    func add(to api: API) {
        api.root.get("console", .anyone, start)
        // The router knows the parameter at one place of a path by one name: a part is a file of its own, or a folder.
        api.root.get("console/:part", .anyone, part)
        api.root.get("console/:part/:file", .anyone, file)
    }

    private func start(_: Request, _: AuditRequestContext, _: Anyone) async throws -> Response {
        try Self.file(ConsoleFiles.start)
    }

    private func part(_: Request, _ context: AuditRequestContext, _: Anyone) async throws -> Response {
        try Self.file(context.pathPart("part") ?? "")
    }

    private func file(_: Request, _ context: AuditRequestContext, _: Anyone) async throws -> Response {
        try Self.file("\(context.pathPart("part") ?? "")/\(context.pathPart("file") ?? "")")
    }

    private static func file(_ name: String) throws(AuditServerError) -> Response {
        guard let file = ConsoleFiles.all[name] else { throw .notFound }
        var headers = headers
        headers[.contentType] = file.mediaType
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

    private static var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentSecurityPolicy: contentPolicy, .xContentTypeOptions: "nosniff",
            // The pages belong to this version of the server.
            .cacheControl: "no-cache",
        ]
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }
}
