import AuditConsole
import AuditModel
import HTTPTypes
import Hummingbird

/// The pages of the console; anybody may load them, and none shows anything without a session.
struct ConsoleRoutes: Sendable {
    /// What a page may load and do: files of this server, and nothing that is written into a page.
    private static let contentPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
        form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    func add(to router: Router<AuditRequestContext>) {
        router.get("console") { _, _ in try Self.file(ConsoleFiles.start) }
        // The router knows the parameter at one place of a path by one name: a part is a file of its own, or a folder.
        router.get("console/:part") { _, context in try Self.file(context.parameters.get("part") ?? "") }
        router.get("console/:part/:file") { _, context in
            try Self.file("\(context.parameters.get("part") ?? "")/\(context.parameters.get("file") ?? "")")
        }
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
