import AuditServerTesting
import ChangeModel
import ChangeModelTesting
import EventModel
import Testing

@testable import SyncServer

@Suite("Schemas that a process remembers")
struct KnownSchemasTests {
    private func schema(_ name: ExactText) -> SyncSchema {
        SyncSchema([SyncSchema.Class(name, key: "_id", properties: ["_id": SyncSchema.Property(.int)])])
    }

    @Test("what devices add is seen by what is sent next")
    func growing() async throws {
        let known = KnownSchemas(InMemoryChangeStore())
        #expect(try await known.schema(of: "a") == SyncSchema())

        try await known.admit(schema("Patient"), .sample, of: "a", isExtending: true)
        try await known.admit(schema("Ward"), .mixing([1]), of: "a", isExtending: true)

        #expect(try await known.schema(of: "a").classes.keys.sorted() == ["Patient", "Ward"])
        #expect(try await known.schema(of: "b") == SyncSchema())
        #expect(known.isAdmitted(.sample, of: "a"))
        #expect(!known.isAdmitted(.sample, of: "b"))
        #expect(!known.isAdmitted(.mixing([2]), of: "a"))
    }

    @Test("a schema that is refused is not remembered")
    func refused() async throws {
        let known = KnownSchemas(InMemoryChangeStore())

        await #expect(
            throws: SyncServerError.invalidSchemaChange([
                "The server has no class Patient.", "An administrator adds what is missing, or Development Mode does.",
            ])
        ) {
            try await known.admit(schema("Patient"), .sample, of: "a", isExtending: false)
        }
        #expect(!known.isAdmitted(.sample, of: "a"))
    }

    @Test("more apps than are remembered lose nothing")
    func bounded() async throws {
        let known = KnownSchemas(InMemoryChangeStore())
        let apps = (0...KnownSchemas.maximumApps).map { ExactText("app-\($0)") }
        for app in apps { try await known.admit(schema("Patient"), .sample, of: app, isExtending: true) }

        for app in apps { #expect(try await known.schema(of: app) == schema("Patient")) }
    }
}
