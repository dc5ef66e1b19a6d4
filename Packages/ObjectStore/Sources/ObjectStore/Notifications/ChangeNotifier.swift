/// The observations of one instance, and what they have to be notified of.
///
/// It belongs to the executor of its instance. Observations are held weakly: their tokens own them.
final class ChangeNotifier {
    private let version: InstanceVersion
    private let mailbox: InstanceMailbox
    private var store: StoreConnection { version.store }
    private var observations: [WeakObservation] = []
    private var realmObservations: [WeakObservation] = []
    /// The versions that this instance made and that somebody may not have been notified of yet.
    private var ownVersions: [UInt64] = []
    /// The version that the handlers of the realm itself know.
    private var realmVersion: UInt64
    private var known: (old: UInt64, new: UInt64, changes: LoggedChanges)?

    /// The properties that are tracked; nil while there never were any.
    var tracking: PropertyTracking?

    private struct WeakObservation {
        weak var observation: ChangeObservation?
    }

    init(_ version: InstanceVersion, _ mailbox: InstanceMailbox) {
        self.version = version
        self.mailbox = mailbox
        realmVersion = version.store.version
    }

    // MARK: Observations

    func add(_ observation: ChangeObservation) {
        observations.removeAll { $0.observation == nil }
        observations.append(WeakObservation(observation: observation))
    }

    func add(_ observation: RealmObservation) {
        // Whoever begins to listen now knows this version.
        if !hasRealmObservations { realmVersion = store.version }
        realmObservations.removeAll { $0.observation == nil }
        realmObservations.append(WeakObservation(observation: observation))
    }

    private var hasRealmObservations: Bool {
        realmObservations.contains { $0.observation.map { !$0.isCancelled } ?? false }
    }

    private var hasTrackers: Bool { tracking?.isActive ?? false }

    /// Whether any handler may have to be notified of something.
    var isNeeded: Bool {
        hasTrackers || hasRealmObservations || observations.contains { $0.observation.map { !$0.isCancelled } ?? false }
    }

    /// Whether a handler does not know the version that is read and can be called now.
    var isDue: Bool {
        let newest = store.version
        if realmVersion != newest && hasRealmObservations { return true }
        if let tracking, tracking.isActive, tracking.version != newest { return true }
        return observations.contains { weak in
            guard let observation = weak.observation else { return false }
            return !observation.isCancelled && !observation.isRunning && !observation.awaitsInitialCall
                && observation.version != newest
        }
    }

    // MARK: Delivery

    /// Notifies everybody of what they do not know yet.
    ///
    /// - Parameter initial: Whether first calls are made, too.
    func deliver(initial: Bool) {
        notifyRealmObservations()
        tellTrackers()
        for weak in observations {
            guard let observation = weak.observation, !observation.isCancelled, !observation.isRunning else { continue }
            guard initial || !observation.awaitsInitialCall else { continue }
            observation.isRunning = true
            observation.deliver()
            observation.isRunning = false
            // What a handler wrote or refreshed is delivered to it, and to those before it, in a later run-loop turn.
            if !observation.isCancelled, observation.version != store.version { mailbox.wake() }
        }
        forget()
    }

    /// Tells those who track properties by Swift's Observation what changed since they read it.
    func tellTrackers() {
        guard let tracking, tracking.isActive, tracking.version != store.version else { return }
        let exists = { [version] (table: ClassTable, key: Int64) in
            version.reading { () throws(Realm.Error) in try table.row(key) != nil }
        }
        let changes = TrackedChanges(exists: exists, store: store, changes: changes(since: tracking.version))
        tracking.tell(changes, upTo: store.version)
    }

    /// Notifies the handlers of the realm that it shows another version.
    func notifyRealmObservations() {
        guard realmVersion != store.version else { return }
        realmVersion = store.version
        notifyRealmObservations(.didChange)
    }

    func notifyRealmObservations(_ notification: Realm.Notification) {
        forEachRealmObservation { $0.call(notification) }
    }

    /// Notifies the handlers of the realm, but for some, of a commit that made no version.
    func notifyOfEmptyCommit(except skipped: [ChangeObservation]) {
        forEachRealmObservation { observation in
            if !skipped.contains(where: { $0 === observation }) { observation.callForEmptyCommit() }
        }
    }

    private func forEachRealmObservation(_ body: (RealmObservation) -> Void) {
        for weak in realmObservations {
            guard let observation = weak.observation as? RealmObservation, !observation.isCancelled else { continue }
            body(observation)
        }
    }

    // MARK: Versions

    /// Keeps in mind that this instance made a version.
    func didCommit(_ version: UInt64) {
        // Only those who wait for a run-loop turn of the executor can be behind; a bound for those who never get one.
        if ownVersions.count >= Int(ChangeLog.versionCount) { ownVersions.removeFirst() }
        ownVersions.append(version)
    }

    /// Whether another instance made any of the versions after one.
    func hasForeignVersions(since old: UInt64) -> Bool {
        let own = ownVersions.count { $0 > old && $0 <= store.version }
        return UInt64(own) + old < store.version
    }

    /// What happened since a version, read once for all who ask.
    func changes(since old: UInt64) -> LoggedChanges {
        let new = store.version
        if let known, known.old == old, known.new == new { return known.changes }
        let changes = version.reading { () throws(Realm.Error) in try store.changes(since: old) }
        Logger.log(
            .trace,
            Category.Storage.notification,
            "Handlers of '\(version.file.name)' are told what happened after version \(old), up to \(new)."
        )
        known = (old, new, changes)
        return changes
    }

    private func forget() {
        // Trackers are told at once, so that nothing is kept for them.
        let oldest = observations.compactMap { $0.observation?.version }.min() ?? store.version
        ownVersions.removeAll { $0 <= oldest }
        if known?.new != store.version { known = nil }
        observations.removeAll { $0.observation?.isCancelled ?? true }
        realmObservations.removeAll { $0.observation?.isCancelled ?? true }
    }
}
