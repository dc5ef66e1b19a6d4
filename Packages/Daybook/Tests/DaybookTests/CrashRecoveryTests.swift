import Daybook
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Needs processes that a test may start and kill, which the systems of phones do not have.
#if os(Linux) || os(macOS)
@MainActor
@Suite("A process that is killed in an open scope")
struct CrashRecoveryTests {
    private let place: RecordingRealm

    init() throws {
        place = try RecordingRealm()
    }

    /// Opens the folder's realm, as each of several processes does.
    private nonisolated static func open(
        _ folder: String,
        _ policy: EventConfiguration.CrashPolicy = .keep
    ) throws -> Realm {
        var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: "\(folder)/crash.realm"))
        configuration.objectTypes = [Person.self]
        configuration.eventConfiguration = EventConfiguration(metadata: ["user": "nurse"], crashPolicy: policy)
        return try Realm(configuration: configuration)
    }

    /// Reads more in a scope than may stay out of the journal, and does something to the scope before the end.
    private nonisolated static func readAndDie(
        _ folder: String,
        _ end: (Events.Scope) -> Void = { _ in }
    ) async throws {
        let realm = try open(folder)
        try realm.write { realm in
            for number in 0..<100 {
                let name = "\(number) " + String(repeating: "x", count: 5000)
                realm.add(Person(id: ObjectId(high: 1, low: UInt32(number)), name: name, employeeId: number))
            }
        }
        guard let events = realm.events else { return }
        let scope = events.beginScope(activity: "open charts")
        var length = 0
        for person in realm.objects(Person.self) { length += person.name.utf8.count }
        await events.flush()
        end(scope)
        if length > 0 { raise(SIGKILL) }
        withExtendedLifetime(scope) {}
    }

    /// Writes in two scopes and dies when the transaction is durable, before anything of it is in a journal.
    private nonisolated static func writeAndDie(_ folder: String) throws {
        let realm = try open(folder)
        guard let events = realm.events else { return }
        let scopes = ["correct a name", "round"].map { events.beginScope(activity: $0) }
        try realm.write { realm in
            realm.add(Person(id: ObjectId(high: 1, low: 1), name: "Wilhelmina", employeeId: 1))
        }
        raise(SIGKILL)
        withExtendedLifetime(scopes) {}
    }

    /// Recovers what a killed process left, and reads all that is stored.
    private func recovered(_ policy: EventConfiguration.CrashPolicy = .keep) async throws -> [AuditEvent] {
        let realm = try Self.open(place.path, policy)
        await realm.events?.flush()
        return try place.storedEvents()
    }

    private func journals() throws -> [String] {
        let paths = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".journal") }
    }

    @Test("what it had read is stored by the next one, marked interrupted, once")
    func interrupted() async throws {
        let folder = place.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            try await CrashRecoveryTests.readAndDie(folder)
        }
        #expect(try journals().count == 1)

        let stored = try await recovered()
        let again = try await recovered()

        #expect((40...100).contains(stored.count))
        #expect(again == stored)
        #expect(stored.allSatisfy { $0.marks == .interrupted && $0.activity == "open charts" && $0.event == "read" })
        #expect(stored.allSatisfy { $0.metadata.dictionary == ["user": "nurse"] && $0.scopeCommitted == nil })
        for (number, event) in stored.enumerated() {
            #expect(event.dataText?.contains("\"employeeId\":\(number),\"name\":\"\(number) xxx") == true)
        }
        #expect(try journals() == [])
    }

    @Test("what it had written is stored by the next one for each scope, also right after the transaction, once")
    func written() async throws {
        let folder = place.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            try CrashRecoveryTests.writeAndDie(folder)
        }

        let stored = try await recovered()
        let again = try await recovered()

        #expect(again == stored)
        #expect(stored.map(\.activity) == ["correct a name", "round"])
        #expect(stored.allSatisfy { $0.marks == .interrupted && $0.event == "write" })
        #expect(stored.allSatisfy { $0.dataText?.contains("Wilhelmina") == true })
        #expect(Set(stored.map(\.id)).count == 2)
        #expect(stored.allSatisfy { $0.metadata.dictionary == ["user": "nurse"] })
        #expect(try journals() == [])
    }

    @Test("with the policy discard nothing is stored")
    func discard() async throws {
        let folder = place.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            try await CrashRecoveryTests.readAndDie(folder)
        }

        #expect(try await recovered(.discard) == [])
        #expect(try journals() == [])
    }

    @Test("a scope that it had cancelled leaves nothing, on the disk or later")
    func cancelled() async throws {
        let folder = place.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            try await CrashRecoveryTests.readAndDie(folder) { $0.cancel() }
        }

        #expect(try journals() == [])
        #expect(try await recovered() == [])
    }
}
#endif
