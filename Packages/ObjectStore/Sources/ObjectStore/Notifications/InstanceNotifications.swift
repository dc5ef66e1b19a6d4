import Synchronization

/// The notifications of an instance: who observes it, and when they are due.
final class InstanceNotifications {
    /// Notifies the observations of this instance of what changed; made with the first one.
    private(set) var notifier: ChangeNotifier?
    /// Where other threads reach the instance.
    let mailbox: InstanceMailbox
    /// The properties that Swift's Observation tracks; made when the first one is read that may be.
    private lazy var tracking = PropertyTracking()
    /// Lets others wake the instance while properties are tracked.
    private var trackersInterest: Cancellation?
    private let configuration: Realm.Configuration
    private let confinement: Confinement
    private let version: InstanceVersion
    private var transaction: InstanceTransaction { version.transaction }
    private var store: StoreConnection { version.store }

    init(_ configuration: Realm.Configuration, _ confinement: Confinement, _ version: InstanceVersion) {
        self.configuration = configuration
        self.confinement = confinement
        self.version = version
        mailbox = InstanceMailbox(version.file.broadcast, confinement)
    }

    // MARK: Observing

    /// Makes sure that something can be observed here and now.
    ///
    /// - Parameter subject: What is observed, for the sentence of the trap.
    func requireObservable(_ subject: String) {
        version.checkThread()
        if version.isFrozen {
            misuse("\(subject) was observed that is frozen and never changes; observe what 'thaw()' returns.")
        }
        if configuration.readOnly {
            misuse("\(subject) was observed in a realm that was opened read-only, where nothing ever changes.")
        }
        if transaction.hasChanges {
            misuse("\(subject) was observed inside of a write that changed something; observe before or after it.")
        }
        version.beginReading()
    }

    /// Begins to observe something, here or in the instance of another executor.
    func observe(
        _ subject: String,
        on executor: Confinement?,
        _ handover: Handover,
        here make: () -> ChangeObservation?
    ) -> NotificationToken {
        if let executor, !executor.isSameExecutor(as: confinement) { return hand(handover, to: executor) }
        requireTurns(subject)
        guard let observation = make() else { return NotificationToken() }
        follow(observation)
        return NotificationToken(observation)
    }

    /// Traps when no handler could be called on this instance's executor.
    func requireTurns(_ subject: String) {
        guard mailbox.canSchedule else {
            misuse(
                """
                \(subject) was observed on a thread where no handler can be called later; observe on the main queue, \
                or name a queue with 'on:'.
                """
            )
        }
    }

    /// Begins to notify an observation, soon also of what there is.
    func follow(_ observation: ChangeObservation) {
        neededNotifier.add(observation)
        mailbox.wake()
    }

    /// Begins to notify a handler of the realm as a whole.
    func follow(_ observation: RealmObservation) { neededNotifier.add(observation) }

    /// Notes that a property of a class that can be tracked was read.
    func didRead(_ slot: Int, _ core: ObjectCore) {
        guard !version.isFrozen, !configuration.readOnly, tracking.isTracked else { return }
        let notifier = neededNotifier
        if notifier.tracking == nil { notifier.tracking = tracking }
        tracking.track(TrackedPlace(ObjectIdentifier(core.table.schema), core.key, slot: slot), at: store.version)
        if trackersInterest == nil { trackersInterest = Cancellation(mailbox) }
    }

    private var neededNotifier: ChangeNotifier {
        if let notifier { return notifier }
        let made = ChangeNotifier(version, mailbox)
        notifier = made
        store.didMove = { [weak mailbox] in mailbox?.wake() }
        return made
    }

    /// Lets the instance of another executor observe.
    func hand(_ handover: Handover, to executor: Confinement) -> NotificationToken {
        let token = NotificationToken()
        let configuration = configuration
        let version = store.version
        executor.schedule { [weak token] in
            guard let token, !token.isInvalidated else { return }
            switch Result(catching: { try RealmOpening(configuration, in: executor).open() }) {
            case .success(let realm):
                realm.beginReading()
                // What is handed over may be newer than what the instance shows.
                if realm.store.version < version, !realm.transaction.isOpen { realm.version.moveToNewest() }
                guard let observation = handover.make(realm) else { return }
                realm.notifications.follow(observation)
                token.keep(observation)
            case .failure(let error): handover.fail(error)
            }
        }
        return token
    }

    // MARK: Delivering

    /// Moves to the newest version if the instance follows it, and notifies everybody; run on the instance's executor.
    func lookForNews() {
        // The end of the transaction wakes the instance again.
        guard !transaction.isOpen else { return }
        // Without anybody to notify, the next run-loop turn begins with the newest version anyway.
        guard let notifier else { return }
        if version.turn.autorefresh {
            version.moveToNewest()
        } else if version.file.broadcast.latestVersion.load(ordering: .acquiring) > store.version {
            notifier.notifyRealmObservations(.refreshRequired)
        }
        notifier.deliver(initial: true)
    }

    /// Whether a handler does not know the version that is read and can be called now.
    var isDue: Bool { notifier?.isDue ?? false }

    /// Notifies everybody of what they do not know yet.
    ///
    /// - Parameter initial: Whether first calls are made, too.
    func deliver(initial: Bool) { notifier?.deliver(initial: initial) }

    /// Lets handlers know what is due before a write begins.
    func deliverBeforeWriting() {
        guard let notifier, notifier.isNeeded else { return }
        version.moveToNewest()
        notifier.deliver(initial: false)
    }

    /// Notifies that a version was made: handlers of this realm now, those of its contents and other instances later.
    func didCommit(_ newVersion: UInt64) {
        Logger.log(.debug, Category.Storage.transaction, "'\(version.file.name)' has version \(newVersion).")
        if let notifier {
            notifier.didCommit(newVersion)
            notifier.notifyRealmObservations()
            notifier.tellTrackers()
        }
        version.file.broadcast.notify(except: mailbox)
        version.file.notifyProcesses()
    }

    /// Notifies the handlers of this realm of a commit that changed nothing; nobody else can tell that there was one.
    func didCommitNothing(withoutNotifying tokens: [NotificationToken]) {
        guard let notifier else { return }
        notifier.notifyOfEmptyCommit(except: tokens.compactMap(\.observation))
    }

    /// Lets what was left for later during a transaction be delivered, however that ended.
    func didEndTransaction() {
        if notifier != nil { mailbox.wake() }
    }

    // MARK: Skipping

    /// Lets the handlers of tokens skip what the open transaction did.
    ///
    /// - Returns: What makes them skip it once it is durable.
    func skips(_ tokens: [NotificationToken], _ version: UInt64) -> [() -> Void] {
        tokens.compactMap { token in
            guard let observation = token.observation else { return nil }
            guard observation.realm.notifications === self else {
                misuse(
                    """
                    A write was committed without notifying the token of another instance of the realm; pass only \
                    tokens of what this instance observes.
                    """
                )
            }
            return observation.skip(version)
        }
    }
}
