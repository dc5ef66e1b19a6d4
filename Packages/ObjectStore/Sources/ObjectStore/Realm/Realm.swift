public import Dispatch

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A handle on one instance of a database of objects, confined to one executor: the thread that opened it, a serial
/// queue, or an actor.
///
/// Opening the same file again on the same executor gives an equal handle that shares its transactions; each other executor
/// gets an instance of its own. An instance reads one version of the file until ``refresh()``, the next write or
/// ``invalidate()`` moves it to the newest one.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write { realm in
///     realm.add(Person(value: ["name": "Ada"]))
/// }
/// let ada = realm.objects(Person.self).where { $0.name == "Ada" }.first
/// ```
///
/// Data errors inside a write, such as a second object with the same primary key, do not trap: the first one is kept,
/// later changes are skipped, and `write` rolls back and throws it.
public struct Realm {
    let core: RealmCore

    init(core: RealmCore) {
        self.core = core
    }

    /// Opens a realm.
    ///
    /// The main queue, the main thread and the main actor are one executor.
    ///
    /// - Parameters:
    ///   - configuration: The file and how it is used.
    ///   - queue: The serial queue whose blocks will use the instance; nil stands for the thread that opens it.
    /// - Throws: ``Error``: all problems of the schema at once, or what is wrong with the file, which is unchanged then;
    ///   also what the configuration's attachment throws.
    public init(configuration: Configuration = .defaultConfiguration, queue: DispatchQueue? = nil) throws {
        core = try RealmOpening(configuration, in: .of(queue)).open()
    }

    /// Opens a file with an otherwise default configuration.
    ///
    /// - Throws: As ``init(configuration:queue:)``.
    public init(fileURL: URL) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration)
    }

    /// The configuration that the instance was opened with.
    public var configuration: Configuration { core.configuration }

    /// Whether the realm holds no object.
    ///
    /// - Complexity: O(*n*) in the count of classes.
    public var isEmpty: Bool {
        core.checkThread()
        core.beginReading()
        return core.reading(or: true) { () throws(Realm.Error) in
            for table in core.store.tables where try !table.isEmpty() { return false }
            return true
        }
    }

    /// Moves the instance to the newest version; does nothing inside a write.
    ///
    /// - Returns: Whether the version changed.
    @discardableResult
    public func refresh() -> Bool {
        core.checkThread()
        return core.refresh()
    }

    /// Releases the version that is read; all objects and collections of this instance become invalid.
    ///
    /// Inside a write the transaction is rolled back.
    public func invalidate() {
        core.checkThread()
        core.invalidate()
    }
}

extension Realm: Equatable {
    /// Whether both are handles on the same instance.
    public static func == (left: Realm, right: Realm) -> Bool { left.core === right.core }
}
