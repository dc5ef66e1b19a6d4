import Foundation
import Synchronization

extension RealmCore {
    /// Ends the process when something is called that changes the realm, and it is frozen.
    func requireLive(_ function: String) {
        guard isFrozen else { return }
        misuse(
            "'\(function)' was called for the realm '\(file.path)', which is frozen; call 'thaw()' and change that one."
        )
    }

    // MARK: Freezing

    /// The frozen instance of the version that is read, shared by all who freeze that version.
    func frozen() -> RealmCore {
        if isFrozen { return self }
        checkThread()
        beginReading()
        return reading { () throws(Realm.Error) in
            if let known = file.frozenInstance(like: self) { return known }
            return file.registerFrozen(RealmCore(frozen: try frozenStore(), of: self))
        }
    }

    /// A connection that keeps the version that is read.
    ///
    /// SQLite begins to read at the newest version only. When another instance has committed meanwhile, the connection
    /// that reads the old version is given away, and this instance goes on with a new one, at the newest version.
    private func frozenStore() throws(Realm.Error) -> StoreConnection {
        let second = try Connection(
            fileURL: URL(fileURLWithPath: file.path),
            key: store.connection.key,
            isReadOnly: configuration.readOnly,
            isDurable: !file.isInMemory
        )
        second.user = FileUser(file)
        var frozen = try StoreConnection(second, schema, isReadOnly: true)
        try frozen.beginReading()
        if frozen.version != store.version {
            try frozen.endReading()
            frozen = try StoreConnection(try store.replaceConnection(with: second), schema, isReadOnly: true)
            try frozen.beginReading()
        }
        frozen.share()
        return frozen
    }

    // MARK: Thawing

    /// The instance of the running code's executor at a version or a later one, opened if there is none.
    func live(atLeast version: UInt64) -> RealmCore {
        do {
            return try Self.live(configuration, atLeast: version)
        } catch {
            misuse("The realm '\(file.path)' cannot be opened to be thawed: \(error)")
        }
    }

    /// The same for a file that may have no instance.
    static func live(_ configuration: Realm.Configuration, atLeast version: UInt64) throws -> RealmCore {
        let core = try RealmOpening(configuration, in: .current).openHere()
        core.follow(atLeast: version)
        return core
    }

    // MARK: Versions

    /// Ends the process when frozen values keep more versions alive than the configuration allows.
    ///
    /// Called with the write lock, when the version that is read is the newest one of all processes.
    func requireActiveVersions() {
        guard let maximum = configuration.maximumNumberOfActiveVersions, let oldest = file.oldestFrozenVersion,
            oldest <= store.version
        else { return }
        let count = store.version - oldest + 1
        guard count > UInt64(maximum) else { return }
        misuse(
            """
            The realm '\(file.path)' has \(count) active versions, from the oldest frozen one to the newest, but \
            'maximumNumberOfActiveVersions' is \(maximum); let go of frozen values sooner.
            """
        )
    }
}
