import Foundation
import Testing

/// The published description of the server's routes, `openapi.json`.
struct OpenAPIDocument: Decodable {
    struct Operation: Decodable {
        let operationId: String
        let summary: String
        let responses: [String: Response]
        /// Who may use it, by the name of a permission of the server's.
        let permission: String

        private enum CodingKeys: String, CodingKey {
            case operationId, summary, responses
            case permission = "x-permission"
        }
    }

    struct Response: Decodable {
        let description: String?
        let reference: String?

        private enum CodingKeys: String, CodingKey {
            case description
            case reference = "$ref"
        }
    }

    struct Route: Hashable, CustomStringConvertible {
        let method: String
        let path: String
        let permission: String

        var description: String { "\(method) \(path), \(permission)" }
    }

    let openapi: String
    let paths: [String: [String: Operation]]

    /// The described routes, sorted.
    var routes: [Route] {
        paths.flatMap { path, operations in
            operations.map { Route(method: $0.uppercased(), path: path, permission: $1.permission) }
        }
        .sorted { ($0.path, $0.method) < ($1.path, $1.method) }
    }

    static func load() throws -> OpenAPIDocument {
        let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: package.appending(path: "Docs/openapi.json")))
    }
}
