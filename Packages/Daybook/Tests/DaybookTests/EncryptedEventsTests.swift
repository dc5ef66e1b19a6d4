import Daybook
import Synchronization
import Testing

/// A realm whose events are encrypted, from its configuration to the bytes on the disk.
@MainActor
@Suite("Encrypted events, end to end")
struct EncryptedEventsTests {
    private nonisolated static let key = EventEncryptionKey.random()
    private static let secret = "Wilhelmina Featherstonehaugh"
    private let place: RecordingRealm

    init() throws {
        place = try RecordingRealm()
    }

    private func open(_ key: EventEncryptionKey?, _ log: (@Sendable (String) -> Void)? = nil) throws -> Realm {
        try place.open(
            EventConfiguration(
                metadata: ["username": "Featherstonehaugh"],
                logger: { _, message in log?(message) },
                errorHandler: { _ in },
                encryptionKey: key
            )
        )
    }

    /// The contents of all files of events and journals.
    private func auditBytes() throws -> [(name: String, bytes: Data)] {
        let root = "\(place.path)/realm-audit"
        return try FileManager.default.subpathsOfDirectory(atPath: root)
            .compactMap { name in
                guard name.hasSuffix(".events") || name.hasSuffix(".journal") else { return nil }
                return FileManager.default.contents(atPath: "\(root)/\(name)").map { (name, $0) }
            }
    }

    private func shows(_ text: String) throws -> [String] {
        try auditBytes().filter { $0.bytes.range(of: Data(text.utf8)) != nil }.map(\.name)
    }

    private func record(in realm: Realm) async throws {
        let scope = try #require(realm.events).beginScope(activity: "Featherstonehaugh's chart")
        try realm.write { realm.add(Person(id: ObjectId(), name: Self.secret, employeeId: 7)) }
        _ = realm.objects(Person.self).first?.name
        try await scope.commit()
        try await realm.events?.persistEvent(activity: "print", eventType: "Featherstonehaugh", data: Self.secret)
    }

    @Test("nothing of an event is readable on the disk, and the key reads all of it")
    func secrecy() async throws {
        let realm = try open(Self.key)

        try await record(in: realm)
        #expect(try shows("Featherstonehaugh").isEmpty)
        #expect(try shows("username").isEmpty)
        try realm.eventDestination?.files.seal()

        #expect(try shows("Featherstonehaugh").isEmpty)
        let path = try #require(try PartitionFiles.find(below: place.path).first)
        #expect(throws: PartitionError.encrypted(path: path)) {
            var reader = try PartitionFileReader(path)
            _ = try reader.next()
        }
        var reader = try PartitionFileReader(path, encryptionKey: Self.key)
        var events: [AuditEvent] = []
        while let stored = try reader.next() { events.append(stored.event) }
        #expect(events.map(\.event) == ["write", "read", "Featherstonehaugh"])
        #expect(events.last?.dataText == Self.secret)
        #expect(try PartitionFiles.verify(path, encryptionKey: Self.key).problems.isEmpty)
        let proof = try PartitionFiles.proof(of: 3, in: path, encryptionKey: Self.key)
        try proof.verify()
    }

    @Test("without a key the same events are readable, so the search would find them")
    func plain() async throws {
        let realm = try open(nil)
        realm.events?.recordEvent(activity: "Featherstonehaugh")
        await realm.events?.flush()

        #expect(try shows("Featherstonehaugh").count == 1)
    }

    @Test("nothing that an open scope captured is readable in its journal")
    func journal() async throws {
        let realm = try open(Self.key)
        try realm.write {
            for number in 0..<200 {
                let name = Self.secret + String(repeating: " \(number)", count: 1000)
                realm.add(Person(id: ObjectId(), name: name, employeeId: number))
            }
        }
        let scope = try #require(realm.events).beginScope(activity: "Featherstonehaugh's ward")
        var length = 0
        for person in realm.objects(Person.self) { length += person.name.utf8.count }
        await realm.events?.flush()

        let journals = try auditBytes().filter { $0.name.hasSuffix(".journal") }
        #expect(journals.reduce(0) { $0 + $1.bytes.count } > 256 << 10)
        #expect(try shows("Featherstonehaugh").isEmpty)
        scope.cancel()
        #expect(try auditBytes().filter { $0.name.hasSuffix(".journal") }.isEmpty)
        #expect(length > 0)
    }

    @Test(
        "what the realm's file keeps of a write in an open scope is as readable there as the events are",
        arguments: [false, true]
    )
    func notes(isEncrypted: Bool) async throws {
        let realm = try open(isEncrypted ? Self.key : nil)
        let scope = try #require(realm.events).beginScope(activity: "Featherstonehaugh's ward")

        try realm.write { realm.add(Person(id: ObjectId(), name: "Anthony", employeeId: 7)) }

        let files = try FileManager.default.contentsOfDirectory(atPath: place.path)
            .filter { $0.hasPrefix("test.realm") }
            .compactMap { FileManager.default.contents(atPath: "\(place.path)/\($0)") }
        // The names are the scope's alone, so that nothing but the note could show them.
        #expect(files.contains { $0.range(of: Data("Anthony".utf8)) != nil })
        #expect(files.contains { $0.range(of: Data("Featherstonehaugh".utf8)) != nil } == !isEncrypted)
        #expect(files.contains { $0.range(of: Data("username".utf8)) != nil } == !isEncrypted)
        try await scope.commit()
    }

    @Test("events of another key stay where they are, are reported, and new ones are recorded")
    func otherKey() async throws {
        let changes: AsyncStream<Void>
        do {
            let realm = try open(Self.key)
            try await record(in: realm)
            changes = try #require(realm.eventDestination).files.changes()
        }
        // The background releases the files, with which the changes end, a moment after the realm went.
        for await _ in changes {}
        let before = try auditBytes().map(\.bytes)
        let log = Mutex<[String]>([])

        let realm = try open(.random()) { message in log.withLock { $0.append(message) } }
        try await realm.events?.persistEvent(activity: "after")

        #expect(try auditBytes().contains { $0.bytes == before.first })
        let reasons = try realm.eventDestination?.files.partitions().compactMap(\.quarantineReason) ?? []
        #expect(reasons.count { $0.contains("another key") } == 1)
        #expect(try PartitionFiles.find(below: place.path).count == 2)
    }

    @Test("two realms that record into one folder must have the same key")
    func sharedFolder() async throws {
        let first = try open(Self.key)
        let other = try RecordingRealm()
        let sharing = EventConfiguration(directory: place.path, encryptionKey: nil)

        let error = #expect(throws: EventModelError.self) { try other.open(sharing) }

        guard case .invalidParameter("encryptionKey", _) = error else {
            Issue.record("The error is \(String(describing: error)).")
            return
        }
        let right = EventConfiguration(directory: place.path, encryptionKey: Self.key)
        #expect(try other.open(right).eventDestination === first.eventDestination)
    }

    @Test("the key is nowhere in what is printed")
    func printing() throws {
        let configuration = EventConfiguration(encryptionKey: Self.key)
        var dumped = ""
        dump(configuration, to: &dumped)
        let digits = Self.key.withUnsafeBytes { Hexadecimal.text($0) }

        #expect(!dumped.contains(digits))
        #expect(!"\(configuration)".contains(digits))
        #expect(dumped.contains("hidden"))
    }
}
