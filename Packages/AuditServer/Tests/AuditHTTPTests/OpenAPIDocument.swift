import Foundation
import Testing

/// The published description of the server's routes, `openapi.json`.
struct OpenAPIDocument: Decodable {
    struct Operation: Decodable {
        let operationId: String
        let summary: String
        let responses: [String: Response]
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

        var description: String { "\(method) \(path)" }
    }

    let openapi: String
    let paths: [String: [String: Operation]]

    /// The described routes, sorted.
    var routes: [Route] {
        paths.flatMap { path, operations in operations.keys.map { Route(method: $0.uppercased(), path: path) } }
            .sorted { ($0.path, $0.method) < ($1.path, $1.method) }
    }

    static func load() throws -> OpenAPIDocument {
        let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        return try JSONDecoder().decode(Self.self, from: Data(contentsOf: package.appending(path: "Docs/openapi.json")))
    }
}
