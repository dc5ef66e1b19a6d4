import Foundation
import ObjectStoreTesting
import Synchronization
import Testing

@testable import ObjectStore

/// One test after the other: the logger is the process's.
@Suite("The log", .serialized)
struct LoggerTests {
    private let place: TemporaryRealm
    private let lines = LogLines()
    private let name = "log-\(UUID().uuidString).realm"

    init() throws {
        let name = name
        place = try TemporaryRealm([LoggedCat.self]) { configuration in
            configuration.fileURL = configuration.fileURL?.deletingLastPathComponent().appendingPathComponent(name)
        }
    }

    /// Runs something with a logger of its own, and then gives the process back the one that it had.
    private func logged(_ level: LogLevel = .trace, _ body: () throws -> Void) throws -> [LogLine] {
        let earlier = Logger.shared
        let (file, lines) = (name, lines)
        Logger.shared = Logger { level, category, message in
            // Other tests run meanwhile.
            guard message.contains(file) || message.contains("LoggedCat") else { return }
            lines.add(LogLine(level: level, category: category.rawValue, message: message))
        }
        Logger.setLogLevel(level)
        defer {
            Logger.shared = earlier
            Logger.setLogLevel(.info)
        }
        try body()
        return lines.all
    }

    @Test("opening, writing, asking and migrating are told of, each in its category")
    func whatIsLogged() throws {
        let found = try logged {
            do {
                let realm = try place.open()
                try realm.write { realm.create(LoggedCat.self, value: ["name": "Mia"]) }
                #expect(realm.objects(LoggedCat.self).filter("name == %@", "Mia").count == 1)
            }
            var configuration = place.configuration
            configuration.schemaVersion = 1
            configuration.migrationBlock = { _, _ in }
            configuration.shouldCompactOnLaunch = { _, _ in true }
            _ = try onThread { [configuration] in _ = try Realm(configuration: configuration) }
        }
        let texts = found.map { "\($0.level) \($0.category) \($0.message)" }
        func has(_ text: String) -> Bool { texts.contains { $0.contains(text) } }
        #expect(has("debug Realm.Storage Made '\(name)' with 1 classes."))
        #expect(has("debug Realm.Storage Opened '\(name)' at version"))
        #expect(has("debug Realm.Storage.Transaction '\(name)' has version"))
        #expect(has("trace Realm.Storage.Query Compiled a query: "), "\(texts)")
        #expect(has("info Realm.Storage Migrated '\(name)' from schema version 0 to 1."))
        #expect(has("info Realm.Storage Compacted '\(name)', of whose"))
        #expect(!has("Mia") && !has(place.folder.lastPathComponent))
    }

    @Test("a level lets what is graver through, of the category and of those inside of it")
    func levels() throws {
        let quiet = try logged(.info) { try place.open().write {} }
        #expect(quiet.isEmpty)

        Logger.setLogLevel(.trace, for: Category.Storage.all)
        Logger.setLogLevel(.off, for: Category.Storage.query)
        #expect(Logger.logLevel(for: Category.Storage.transaction) == .trace)
        #expect(Logger.logLevel(for: Category.Storage.query) == .off)
        #expect(Logger.logLevel(for: Category.Sync.Client.all) == .info && Logger.logLevel() == .info)
        Logger.setLogLevel(.warn, for: Category.Sync.all)
        #expect(Logger.logLevel(for: Category.Sync.Client.session) == .warn)
        Logger.shared.level = .info
        #expect(Category.everything.allSatisfy { Logger.logLevel(for: $0) == .info })
    }

    @Test("a logger with a level sets that of the process once it is the shared one")
    func firstLevel() {
        let earlier = Logger.shared
        let logger = Logger(level: .error) { _, _ in }
        #expect(Logger.shared.level == .info)
        Logger.shared = logger
        #expect(Logger.shared.level == .error && Logger.logLevel(for: Category.app) == .error)
        Logger.shared = earlier
        Logger.shared.level = .info
    }

    @Test("a file that cannot be opened is told of with its code, and not by its path")
    func failure() throws {
        let lines = lines
        let earlier = Logger.shared
        Logger.shared = Logger { level, category, message in
            lines.add(LogLine(level: level, category: category.rawValue, message: message))
        }
        Logger.setLogLevel(.detail)
        defer {
            Logger.shared = earlier
            Logger.setLogLevel(.info)
        }
        var configuration = place.configuration
        configuration.readOnly = true
        #expect(throws: Realm.Error(.fileNotFound, "")) { try Realm(configuration: configuration) }
        #expect(lines.all.contains { $0.level == .detail && $0.message.contains("fileNotFound") })
        #expect(!lines.all.contains { $0.message.contains(name) })
    }

    @Test("names of categories begin with those around them")
    func categories() {
        #expect(Category.everything.count == 15)
        #expect(Category.everything.allSatisfy(Category.realm.contains))
        #expect(!Category.Storage.query.contains(Category.Storage.all))
    }
}

private final class LoggedCat: Object {
    @Persisted var name: String

    override static func shouldIncludeInDefaultSchema() -> Bool { false }
}

private struct LogLine: Sendable {
    let level: LogLevel
    let category: String
    let message: String
}

private final class LogLines: Sendable {
    private let lines = Mutex<[LogLine]>([])

    var all: [LogLine] { lines.withLock { $0 } }

    func add(_ line: LogLine) { lines.withLock { $0.append(line) } }
}
