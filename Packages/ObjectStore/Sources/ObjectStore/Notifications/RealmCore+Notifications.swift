import Synchronization

extension RealmCore {
    /// The notifier, made with the first observation.
    var neededNotifier: ChangeNotifier {
        if let notifier { return notifier }
        let made = ChangeNotifier(self)
        notifier = made
        store.didMove = { [weak self] in self?.mailbox.wake() }
        return made
    }

    /// Makes sure that something can be observed here and now.
    ///
    /// - Parameter subject: What is observed, for the sentence of the trap.
    func requireObservable(_ subject: String) {
        checkThread()
        if isFrozen {
            misuse("\(subject) was observed that is frozen and never changes; observe what 'thaw()' returns.")
        }
        if configuration.readOnly {
            misuse("\(subject) was observed in a realm that was opened read-only, where nothing ever changes.")
        }
        if transaction?.hasChanges == true {
            misuse("\(subject) was observed inside of a write that changed something; observe before or after it.")
        }
        beginReading()
    }

    /// Begins to observe something, here or in the instance of another place.
    func observe(
        _ subject: String,
        on place: Confinement?,
        _ handover: Handover,
        here make: () -> ChangeObservation?
    ) -> NotificationToken {
        if let place, !place.isSamePlace(as: confinement) { return hand(handover, to: place) }
        requireTurns(subject)
        guard let observation = make() else { return NotificationToken() }
        return begin(observation)
    }

    /// Traps when no handler could be called at this instance's place.
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

    /// Begins to tell an observation.
    func begin(_ observation: ChangeObservation) -> NotificationToken {
        follow(observation)
        return NotificationToken(observation)
    }

    private func follow(_ observation: ChangeObservation) {
        neededNotifier.add(observation)
        mailbox.wake()
    }

    /// Lets the instance of another place observe.
    func hand(_ handover: Handover, to place: Confinement) -> NotificationToken {
        let token = NotificationToken()
        let configuration = configuration
        let version = store.version
        place.schedule { [weak token] in
            guard let token, !token.isInvalidated else { return }
            switch Result(catching: { try RealmOpening(configuration, in: place).open() }) {
            case .success(let realm):
                realm.beginReading()
                // What is handed over may be newer than what the instance shows.
                if realm.store.version < version, realm.transaction == nil { realm.moveToNewest() }
                guard let observation = handover.make(realm) else { return }
                realm.follow(observation)
                token.keep(observation)
            case .failure(let error): handover.fail(error)
            }
        }
        return token
    }

    // MARK: Moving

    /// Moves to the newest version if the instance follows it, and tells everybody; run at the instance's place.
    func lookForNews() {
        // The end of the transaction wakes the instance again.
        guard transaction == nil else { return }
        // Without anybody to tell, the next turn begins with the newest version anyway.
        guard let notifier else { return }
        if autorefresh {
            moveToNewest()
        } else if file.broadcast.latestVersion.load(ordering: .acquiring) > store.version {
            notifier.tellRealmObservations(.refreshRequired)
        }
        notifier.deliver(initial: true)
    }

    /// Pins the newest version.
    func moveToNewest() {
        reading(or: ()) { () throws(Realm.Error) in
            try store.endReading()
            try store.beginReading()
        }
    }

    /// Lets handlers know what is due before a write begins.
    func deliverBeforeWriting() {
        guard let notifier, notifier.isNeeded else { return }
        moveToNewest()
        notifier.deliver(initial: false)
    }

    /// Tells that a version was made: handlers of this realm now, those of its contents and other instances later.
    func didCommit(_ version: UInt64) {
        if let notifier {
            notifier.didCommit(version)
            notifier.tellRealmObservations()
        }
        file.broadcast.tell(except: mailbox)
        file.tellProcesses()
    }

    // MARK: Skipping

    /// Lets the handlers of tokens skip what the open transaction did.
    ///
    /// - Returns: What makes them skip it once it is durable.
    func skips(_ tokens: [NotificationToken], _ version: UInt64) -> [() -> Void] {
        tokens.compactMap { token in
            guard let observation = token.observation else { return nil }
            guard observation.realm === self else {
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
