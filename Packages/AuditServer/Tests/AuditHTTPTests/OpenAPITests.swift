import AuditHTTP
import AuditServerTesting
import Testing

@Suite("The published description of the routes")
struct OpenAPITests {
    @Test("every route is described with who may use it, and every described route exists")
    func routes() async throws {
        let document = try OpenAPIDocument.load()
        let served = try await TestServer().service.routes().rows
            .map { OpenAPIDocument.Route(method: $0.method, path: $0.path, permission: $0.permission) }
            .sorted { ($0.path, $0.method) < ($1.path, $1.method) }

        #expect(document.openapi.hasPrefix("3.1"))
        #expect(served.count > 20)
        #expect(document.routes == served)
    }

    @Test("each operation has a name of its own and says how it refuses")
    func operations() throws {
        let operations = try OpenAPIDocument.load().paths.values.flatMap(\.values)

        #expect(Set(operations.map(\.operationId)).count == operations.count)
        for operation in operations {
            // One leads elsewhere, and does nothing else.
            let answer = operation.operationId == "root" ? "303" : "2"
            #expect(operation.responses.keys.contains { $0.hasPrefix(answer) }, "\(operation.operationId)")
            #expect(operation.responses["4XX"] != nil, "\(operation.operationId)")
            #expect(!operation.summary.isEmpty)
        }
    }
}
