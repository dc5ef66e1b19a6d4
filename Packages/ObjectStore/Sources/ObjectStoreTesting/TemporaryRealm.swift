public import Foundation
public import ObjectStore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A realm file in a folder of its own that is removed with this object.
///
/// Open as many instances as a test needs with ``open()``; the folder stays until the object is gone. What processes leave that
/// a test started and that died is removed when the process of the tests ends.
public final class TemporaryRealm: Sendable {
    /// The folder of the file.
    public let folder: URL
    /// The configuration of the file.
    public let configuration: Realm.Configuration

    /// Creates the folder.
    ///
    /// - Parameters:
    ///   - types: The classes of the realm.
    ///   - change: Adjusts the configuration, such as its attachment.
    /// - Throws: What the file manager throws.
    public init(
        _ types: [ObjectBase.Type] = Sample.types,
        _ change: (inout Realm.Configuration) -> Void = { _ in }
    ) throws {
        // LIVE: a test's realm is a real file of its own.
        let files = FileManager.default
        Self.willClean
        // LIVE: two tests must never share a folder.
        let name = "\(Self.prefix(getppid()))\(getpid())-\(UUID().uuidString)"
        folder = files.temporaryDirectory.appendingPathComponent(name)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = Realm.Configuration(
            fileURL: folder.appendingPathComponent("test.realm"),
            objectTypes: types
        )
        configuration.encryptionKey = Self.suiteKey
        change(&configuration)
        self.configuration = configuration
    }

    /// The key that files get unless a test says otherwise: one when `DAYBOOK_TEST_KEY` is set, so that a whole suite runs with encrypted files.
    public static let suiteKey: Data? = {
        // LIVE: whoever runs the tests says so to their process.
        guard ProcessInfo.processInfo.environment["DAYBOOK_TEST_KEY"] != nil else { return nil }
        return Data((0..<64).map { UInt8($0) &* 167 &+ 13 })
    }()

    deinit {
        // A folder that cannot be removed is left to the system, which empties its temporary directory.
        // LIVE: the folder is a real one.
        try? FileManager.default.removeItem(at: folder)
    }

    /// What the names of folders begin with that belong to children of a process.
    private static func prefix(_ parent: pid_t) -> String { "daybook-\(parent)-" }

    /// Makes this process remove at its end what its children left, which a trap or a signal ended.
    private static let willClean: Void = {
        atexit {
            // LIVE: the folders are real ones.
            let files = FileManager.default
            let temporary = files.temporaryDirectory
            let names = (try? files.contentsOfDirectory(atPath: temporary.path)) ?? []
            for name in names where name.hasPrefix(TemporaryRealm.prefix(getpid())) {
                // LIVE: a folder that cannot be removed is left to the system, as in `deinit`.
                try? FileManager.default.removeItem(at: temporary.appendingPathComponent(name))
            }
        }
    }()

    /// Runs work with an instance of its own, on another thread, and closes the instance.
    ///
    /// - Returns: What the work returns.
    /// - Throws: What opening and the work throw.
    public func inSecondInstance<Value: Sendable>(
        _ body: @escaping @Sendable (Realm) throws -> Value
    ) async throws -> Value {
        let configuration = configuration
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, any Error>, Never>) in
            let thread = Thread {
                continuation.resume(returning: Result { try body(Realm(configuration: configuration)) })
            }
            thread.start()
        }
        return try result.get()
    }

    /// Opens the thread's instance.
    public func open() throws -> Realm {
        try Realm(configuration: configuration)
    }

    /// Opens the file with another configuration.
    ///
    /// - Parameter change: Adjusts the configuration.
    /// - Returns: The thread's instance.
    /// - Throws: What opening throws.
    public func open(_ change: (inout Realm.Configuration) -> Void) throws -> Realm {
        var configuration = configuration
        change(&configuration)
        return try Realm(configuration: configuration)
    }
}
