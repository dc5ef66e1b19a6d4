/// The observations of one instance, and what it has to tell them.
///
/// It belongs to the place of its instance. Observations are held weakly: their tokens own them.
final class ChangeNotifier {
    private unowned let realm: RealmCore
    private var observations: [WeakObservation] = []
    private var realmObservations: [WeakObservation] = []
    /// The versions that this instance made and that somebody may not have been told of yet.
    private var ownVersions: [UInt64] = []
    /// The version that the handlers of the realm itself know.
    private var realmVersion: UInt64
    private var known: (old: UInt64, new: UInt64, changes: LoggedChanges)?

    private struct WeakObservation {
        weak var observation: ChangeObservation?
    }

    init(_ realm: RealmCore) {
        self.realm = realm
        realmVersion = realm.store.version
    }

    // MARK: Observations

    func add(_ observation: ChangeObservation) {
        observations.removeAll { $0.observation == nil }
        observations.append(WeakObservation(observation: observation))
    }

    func add(_ observation: RealmObservation) {
        // Whoever begins to listen now knows this version.
        if !hasRealmObservations { realmVersion = realm.store.version }
        realmObservations.removeAll { $0.observation == nil }
        realmObservations.append(WeakObservation(observation: observation))
    }

    private var hasRealmObservations: Bool {
        realmObservations.contains { $0.observation.map { !$0.isCancelled } ?? false }
    }

    /// Whether any handler may have to be told something.
    var isNeeded: Bool {
        hasRealmObservations || observations.contains { $0.observation.map { !$0.isCancelled } ?? false }
    }

    /// Whether a handler does not know the version that is read and can be told now.
    var isDue: Bool {
        let version = realm.store.version
        return observations.contains { weak in
            guard let observation = weak.observation else { return false }
            return !observation.isCancelled && !observation.isRunning && !observation.awaitsInitialCall
                && observation.version != version
        }
    }

    // MARK: Delivery

    /// Tells everybody what they do not know yet.
    ///
    /// - Parameter initial: Whether first calls are made, too.
    func deliver(initial: Bool) {
        tellRealmObservations()
        for weak in observations {
            guard let observation = weak.observation, !observation.isCancelled, !observation.isRunning else { continue }
            guard initial || !observation.awaitsInitialCall else { continue }
            observation.isRunning = true
            observation.deliver()
            observation.isRunning = false
            // What a handler wrote or refreshed is told to it, and to those before it, in a later turn.
            if !observation.isCancelled, observation.version != realm.store.version { realm.mailbox.wake() }
        }
        forget()
    }

    /// Tells the handlers of the realm that it shows another version.
    func tellRealmObservations() {
        guard realmVersion != realm.store.version else { return }
        realmVersion = realm.store.version
        tellRealmObservations(.didChange)
    }

    func tellRealmObservations(_ notification: Realm.Notification) {
        for weak in realmObservations {
            guard let observation = weak.observation as? RealmObservation, !observation.isCancelled else { continue }
            observation.call(notification)
        }
    }

    // MARK: Versions

    /// Keeps in mind that this instance made a version.
    func didCommit(_ version: UInt64) {
        // Only those who wait for a turn of the instance can be behind; a bound for those who never get one.
        if ownVersions.count >= Int(ChangeLog.versionCount) { ownVersions.removeFirst() }
        ownVersions.append(version)
    }

    /// Whether another instance made any of the versions after one.
    func hasForeignVersions(since old: UInt64) -> Bool {
        let own = ownVersions.count { $0 > old && $0 <= realm.store.version }
        return UInt64(own) + old < realm.store.version
    }

    /// What happened since a version, read once for all who ask.
    func changes(since old: UInt64) -> LoggedChanges {
        let new = realm.store.version
        if let known, known.old == old, known.new == new { return known.changes }
        let changes = realm.reading { () throws(Realm.Error) in try realm.store.changes(since: old) }
        known = (old, new, changes)
        return changes
    }

    private func forget() {
        let oldest = observations.compactMap { $0.observation?.version }.min() ?? realm.store.version
        ownVersions.removeAll { $0 <= oldest }
        if known?.new != realm.store.version { known = nil }
        observations.removeAll { $0.observation?.isCancelled ?? true }
        realmObservations.removeAll { $0.observation?.isCancelled ?? true }
    }
}
