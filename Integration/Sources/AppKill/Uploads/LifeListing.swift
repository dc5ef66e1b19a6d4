import AuditHTTP
import AuditModel
import AuditServerTesting
import Daybook

/// Lists what the server has of one life, through the routes of an auditor.
struct LifeListing {
    private let url: String
    private let token: String
    private let client = URLSessionHTTPClient()

    init(_ server: ServerProcess) throws {
        url = server.url
        token = try server.auditorToken()
    }

    /// Returns all events of a life.
    ///
    /// - Throws: ``AppKillError`` when the server refuses.
    func events(of life: Int) async throws -> [EventLine] {
        var events: [EventLine] = []
        var after = ""
        repeat {
            let request = HTTPRequest(
                method: .get,
                url: "\(url)/api/v1/events?activity=life%20\(life)&limit=200\(after)",
                headers: ["authorization": "Bearer \(token)"]
            )
            let answer = try await client.send(request)
            guard answer.status == 200 else { throw AppKillError("The server refuses the auditor: \(answer.status).") }
            for line in answer.body.split(separator: 0x0A) {
                events.append(try JSONDecoder().decode(EventLine.self, from: Data(line)))
            }
            let next = answer.headers.first { $0.key.lowercased() == "daybook-next-cursor" }
            after = next.map { "&after=\($0.value)" } ?? ""
        } while !after.isEmpty
        return events
    }
}
