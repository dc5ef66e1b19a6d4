// The realm of an actor: opened off the actor, used on it, written without blocking it.
extension Realm {
    /// Opens the realm of an actor; the file is opened and migrated on another thread.
    ///
    /// - Parameters:
    ///   - configuration: The file and how it is used.
    ///   - actor: Where the instance may be used.
    ///   - downloadBeforeOpen: Whether a realm that syncs gets what the server has before; others have nothing to download.
    /// - Throws: As ``init(configuration:queue:)``, why nothing was downloaded, and `CancellationError`.
    public init(
        configuration: Configuration = .defaultConfiguration,
        actor: isolated any Actor,
        downloadBeforeOpen: OpenBehavior = .never
    ) async throws {
        self.init(core: try await RealmOpening(configuration, in: .of(actor)).openElsewhere(downloadBeforeOpen))
    }

    /// Opens the realm of the main actor; the file is opened and migrated on another thread.
    ///
    /// - Parameters:
    ///   - configuration: The file and how it is used.
    ///   - downloadBeforeOpen: Whether a realm that syncs gets what the server has before; others have nothing to download.
    /// - Throws: As ``init(configuration:queue:)``, why nothing was downloaded, and `CancellationError`.
    @MainActor
    public init(
        configuration: Configuration = .defaultConfiguration,
        downloadBeforeOpen: OpenBehavior = .never
    ) async throws {
        self.init(core: try await RealmOpening(configuration, in: .mainQueue).openElsewhere(downloadBeforeOpen))
    }

    /// Opens the realm of the actor that calls this.
    ///
    /// In the initializer of an actor all properties must have a value before; declare `var realm: Realm!` there, or
    /// open the realm elsewhere.
    ///
    /// - Throws: As ``init(configuration:queue:)``, and ``Realm/Error`` with `.invalidInput` where no actor is.
    public static func open(
        configuration: Configuration = .defaultConfiguration,
        _isolation: isolated (any Actor)? = #isolation,
        downloadBeforeOpen: OpenBehavior = .never
    ) async throws -> Realm {
        // Optional although it is always needed: an actor that is not complete yet is passed as nil, never refused.
        guard let actor = _isolation else {
            throw Realm.Error(
                .invalidInput,
                """
                A realm was opened for an actor by code that runs on none, or by the initializer of an actor before all \
                its properties had a value; declare 'var realm: Realm!', or open a realm of a thread.
                """
            )
        }
        return Realm(core: try await RealmOpening(configuration, in: .of(actor)).openElsewhere(downloadBeforeOpen))
    }

    /// Runs a transaction without blocking the actor while others write.
    ///
    /// - Returns: What the block returns.
    /// - Throws: `CancellationError` when the task is cancelled before the block runs; nothing is written then. Otherwise
    ///   as ``write(_:)-((Realm)->Result)``.
    /// - Precondition: The instance belongs to the actor that calls this, and no transaction is open on it.
    @discardableResult
    public func asyncWrite<Result>(
        _isolation: isolated any Actor = #isolation,
        _ block: () throws -> Result
    ) async throws -> Result {
        try await core.beginWriteWithoutBlocking(_isolation)
        return try finishWrite { _ in try block() }
    }

    /// Runs a transaction whose block is given the realm; otherwise as ``asyncWrite(_isolation:_:)-(_,()->Result)``.
    @discardableResult
    public func asyncWrite<Result>(
        _isolation: isolated any Actor = #isolation,
        _ block: (Realm) throws -> Result
    ) async throws -> Result {
        try await core.beginWriteWithoutBlocking(_isolation)
        return try finishWrite(block)
    }

    /// Moves the instance to the newest version; does nothing inside a write.
    ///
    /// - Returns: Whether the version changed; that of a frozen realm never does.
    /// - Precondition: The instance belongs to the actor that calls this, or is frozen.
    @discardableResult
    public func asyncRefresh(_isolation: isolated any Actor = #isolation) async -> Bool {
        core.checkThread()
        if core.isFrozen { return false }
        core.requireActor(_isolation, "asyncRefresh")
        return core.refresh()
    }
}

extension RealmCore {
    fileprivate func requireActor(_ actor: any Actor, _ function: String) {
        guard confinement.isActor(actor) else {
            misuse(
                """
                '\(function)' was called on another actor than the one of the realm '\(file.path)', which belongs to \
                \(confinement).
                """
            )
        }
    }

    /// Begins a transaction when the write lock is there; the actor does other things meanwhile.
    fileprivate func beginWriteWithoutBlocking(_ actor: isolated any Actor) async throws {
        checkThread()
        requireLive("asyncWrite")
        requireActor(actor, "asyncWrite")
        try Task.checkCancellation()
        guard !transaction.isOpen else {
            misuse("A write was begun in a realm that is already in a write transaction; nested writes do not exist.")
        }
        let write = asyncWrites.enqueue(.task, in: self)
        // When nobody writes there is nothing to wait for.
        var isTurned = false
        while true {
            if write.ticket?.isGranted != true || isTurned { await turn(of: write, actor) }
            isTurned = true
            if Task.isCancelled {
                asyncWrites.drop(write)
                throw CancellationError()
            }
            // A synchronous transaction may have come first; it wakes the task again.
            guard write.ticket?.isGranted == true, !transaction.isOpen else { continue }
            if try asyncWrites.begin(write, in: self) { return }
            asyncWrites.tryAgainLater(write, in: self)
        }
    }

    /// Waits until the write is woken: it has the lock, or its task is cancelled.
    private func turn(of write: AsyncWrite, _ actor: isolated any Actor) async {
        let instance = Confined(self)
        let id = write.id
        await withTaskCancellationHandler(
            operation: {
                if Task.isCancelled { return }
                await withCheckedContinuation(isolation: actor) { write.continuation = $0 }
            },
            onCancel: { _ = instance.schedule { $0.asyncWrites.resume(id) } },
            isolation: actor
        )
    }
}
