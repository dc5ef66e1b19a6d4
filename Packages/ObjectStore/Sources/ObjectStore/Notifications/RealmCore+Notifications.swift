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
        if configuration.readOnly {
            misuse("\(subject) was observed in a realm that was opened read-only, where nothing ever changes.")
        }
        if transaction?.hasChanges == true {
            misuse("\(subject) was observed inside of a write that changed something; observe before or after it.")
        }
        guard mailbox.canSchedule else {
            misuse(
                """
                \(subject) was observed on a thread where no handler can be called later; observe on the main queue, \
                or name a queue with 'on:'.
                """
            )
        }
        beginReading()
    }

    /// Begins to tell an observation.
    func begin(_ observation: Observation) -> NotificationToken {
        neededNotifier.add(observation)
        mailbox.wake()
        return NotificationToken(observation)
    }

    // MARK: Moving

    /// Moves to the newest version if the instance follows it, and tells everybody; run at the instance's place.
    func lookForNews() {
        // The end of the transaction wakes the instance again.
        guard transaction == nil else { return }
        if autorefresh {
            // Nobody reads and nobody listens: the next read begins with the newest version anyway.
            guard store.isReading || notifier != nil else { return }
            moveToNewest()
        } else if let notifier, file.broadcast.latestVersion.load(ordering: .acquiring) > store.version {
            notifier.tellRealmObservations(.refreshRequired)
        }
        notifier?.deliver(initial: true)
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
        mailbox.wake()
        file.broadcast.tell(except: mailbox)
        if !file.isInMemory { FileWatcher.touch(file.path) }
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
