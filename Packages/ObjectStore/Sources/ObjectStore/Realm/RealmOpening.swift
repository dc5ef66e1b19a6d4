import Dispatch
import EventModel
import Foundation

/// Opens a realm step by step: checks the configuration, finds or makes the instance, asks the attachment.
struct RealmOpening {
    let configuration: Realm.Configuration
    let executor: Confinement

    init(_ configuration: Realm.Configuration, in executor: Confinement) {
        self.configuration = configuration
        self.executor = executor
    }

    /// Returns the executor's instance of the file, opened if there is none.
    func open() throws -> RealmCore { try arrived(try made()) }

    /// Returns an instance that may be used here, such as that of the running actor; the executor's if there is none.
    func openHere() throws -> RealmCore { try coordinator().instanceHere ?? open() }

    /// Opens on another thread, so that the caller's actor does other things meanwhile.
    func openElsewhere(_ behavior: OpenBehavior = .never) async throws -> RealmCore {
        try Task.checkCancellation()
        let companion = try await downloaded(behavior)
        defer { withExtendedLifetime(companion) {} }
        let instance = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Confined, any Error>, Never>) in
            DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: Result { try made() }) }
        }
        return try arrived(instance.get())
    }

    /// Finds the executor's instance or makes one, on any thread.
    func made() throws -> Confined {
        do {
            return try madeUnnoticed()
        } catch {
            let code = (error as? Realm.Error).map { " with the error \($0.code)" } ?? ""
            // Not graver: whoever opens it is told by the error.
            Logger.log(.detail, Category.Storage.all, "A realm could not be opened\(code).")
            throw error
        }
    }

    private func madeUnnoticed() throws -> Confined {
        try checkConfiguration()
        let file = try coordinator()
        if configuration.usesClassesOfFile { return try madeAsFound(file) }
        let schema = try RealmSchema(configuration.objectTypes)
        if let existing = file.instance(of: executor) { return Confined(try shared(existing, schema)) }
        if let other = file.anyInstance { try requireSameAccess(other) }
        return Confined(try make(file, schema))
    }

    /// Lets an instance be found on its executor, unless another one was faster.
    func arrived(_ made: Confined) throws -> RealmCore {
        let core = made.arrive()
        let registered = core.file.register(core)
        if registered !== core { _ = try shared(registered, core.schema) } else { try core.writeDeclared() }
        if let attachment = configuration.attachment { try core.file.attach(attachment) }
        if registered.companion == nil { registered.companion = try companion() }
        Logger.log(.debug, Category.Storage.all, "Opened '\(core.file.name)' at version \(core.store.version).")
        return registered
    }

    /// What the attachment gives an instance to keep.
    private func companion() throws -> (any InstanceCompanion)? {
        try (configuration.attachment as? any OpeningAttachment)?.companion(of: configuration)
    }

    /// Brings what a server has into the file, where the attachment has a server and somebody asks for that.
    ///
    /// - Returns: What the opening keeps until the instance is there, so that what was begun goes on.
    func downloaded(
        _ behavior: OpenBehavior,
        reporting: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> (any InstanceCompanion)? {
        // LIVE: a realm's file is a file of this machine.
        let isThere = (configuration.fileURL?.path).map { FileManager.default.fileExists(atPath: $0) } ?? false
        switch behavior {
        case .never: return nil
        case .once where isThere: return nil
        case .once, .always: break
        }
        try checkConfiguration()
        let made = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<(any InstanceCompanion)?, any Error>, Never>) in
            DispatchQueue.global(qos: .userInitiated)
                .async { continuation.resume(returning: Result { try companion() }) }
        }
        guard let companion = try made.get() else { return nil }
        try await companion.download(reporting: reporting)
        return companion
    }

    private func checkConfiguration() throws(Realm.Error) {
        _ = try RealmFile.key(configuration.encryptionKey, fileURL: configuration.fileURL)
        guard !configuration.readOnly || !configuration.deleteRealmIfMigrationNeeded else {
            throw Realm.Error(
                .invalidInput,
                "A realm cannot be opened read-only and be deleted if its schema differs.",
                fileURL: configuration.fileURL
            )
        }
        guard !configuration.readOnly || configuration.shouldCompactOnLaunch == nil else {
            throw Realm.Error(
                .invalidInput,
                "A realm cannot be opened read-only and be compacted.",
                fileURL: configuration.fileURL
            )
        }
        guard configuration.fileURL != nil || configuration.inMemoryIdentifier != nil else {
            throw Realm.Error(.invalidInput, "The configuration names neither a file nor an in-memory realm.")
        }
    }

    private func coordinator() throws(Realm.Error) -> FileCoordinator {
        if let identifier = configuration.inMemoryIdentifier { return try .of(inMemory: identifier) }
        return .of(path: RealmFile.canonicalPath(configuration.fileURL ?? RealmFile.defaultURL))
    }

    /// Checks that an instance that the thread already has serves this configuration too.
    private func shared(_ core: RealmCore, _ schema: RealmSchema) throws(Realm.Error) -> RealmCore {
        try requireSameAccess(core)
        let managed = Set(core.schema.classes.map { ObjectIdentifier($0) })
        let missing = schema.classes.filter { !managed.contains(ObjectIdentifier($0)) }.map(\.name)
        guard missing.isEmpty else {
            throw Realm.Error(
                .alreadyOpen,
                """
                The realm '\(core.file.path)' is already open on this thread, queue or actor without the classes \
                '\(missing.joined(separator: "', '"))'; close that instance first.
                """,
                fileURL: configuration.fileURL
            )
        }
        return core
    }

    /// Checks that the file is opened as the instances that exist have it.
    func requireSameAccess(_ core: RealmCore) throws(Realm.Error) {
        guard core.configuration.readOnly == configuration.readOnly else {
            throw Realm.Error(
                .alreadyOpen,
                "The realm '\(core.file.path)' is already open, but not with the same 'readOnly'.",
                fileURL: configuration.fileURL
            )
        }
        guard core.configuration.encryptionKey == configuration.encryptionKey else {
            throw .openWithOtherKey(core.file.path)
        }
    }

    private func make(_ file: FileCoordinator, _ schema: RealmSchema) throws -> RealmCore {
        do {
            return try RealmCore(file: file, configuration: configuration, schema: schema, confinement: executor)
        } catch Realm.Error.schemaMismatch where configuration.deleteRealmIfMigrationNeeded {
            // What observers have not handed on yet is no part of the contents.
            let notes = try file.notes.kept()
            _ = try Realm.deleteFiles(at: file.path)
            let core = try RealmCore(file: file, configuration: configuration, schema: schema, confinement: executor)
            try core.store.restore(notes)
            return core
        }
    }
}
