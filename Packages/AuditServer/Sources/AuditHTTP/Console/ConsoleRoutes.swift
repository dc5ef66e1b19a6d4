import AuditConsole
import AuditModel
import HTTPTypes
import HummingbirdCore

/// The pages of the console; anybody may load them, and none shows anything without a session.
struct ConsoleRoutes: Sendable {
    func add(to api: API) {
        // Whoever opens the server's address in a browser looks for the console.
        api.root.get("", .anyone, lead)
        api.root.get("console", .anyone, start)
        // The router knows the parameter at one place of a path by one name: a part is a file of its own, or a folder.
        api.root.get("console/:part", .anyone, part)
        api.root.get("console/:part/:file", .anyone, file)
    }

    private func lead(_: Request, _: AuditRequestContext, _: Anyone) async throws -> Response {
        Response(status: .seeOther, headers: [.location: "/console"])
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
        return PageAnswer.of(file)
    }
}
