/// A handler of sections, or of one of them, with the contents as it knows them.
final class SectionObservation<Key: Hashable, Element: RealmCollectionValue>: ChangeObservation {
    private let state: SectionState<Key, Element>
    private let source: ObservedSource
    private let paths: ObservedPaths
    /// The key of the one section that is observed; nil for all.
    private let key: Key?
    /// Is called with what happened; with nil first.
    private let handler: (SectionEvent?) -> Void
    /// What the handler knows; nil before the first call.
    private var contents: SectionContents<Key, Element>?

    init(
        _ state: SectionState<Key, Element>,
        _ source: ObservedSource,
        _ paths: ObservedPaths,
        _ key: Key?,
        _ handler: @escaping (SectionEvent?) -> Void
    ) {
        self.state = state
        self.source = source
        self.paths = paths
        self.key = key
        self.handler = handler
        super.init(source.realm)
    }

    override var awaitsInitialCall: Bool { contents == nil }

    override func deliver() {
        realm.beginReading()
        guard let known = contents else {
            contents = state.contents()
            version = realm.store.version
            realm.reading(or: ()) { () throws(Realm.Error) in try paths.begin(realm.store) }
            return handler(nil)
        }
        guard version != realm.store.version, let notifier = realm.notifications.notifier else { return }
        let changes = notifier.changes(since: version)
        version = realm.store.version
        let changed = realm.reading { () throws(Realm.Error) in try ChangedElements(source, paths, changes).rows }
        // A key may be made of what an element links to, so that any change may move elements.
        let new = state.contents()
        contents = new
        guard let event = new.event(from: known, changed) else { return }
        guard let key else { return handler(event) }
        if let part = event.part(known.keys.firstIndex(of: key), new.keys.firstIndex(of: key)) { handler(part) }
    }

    override func skip(_ version: UInt64) -> () -> Void {
        // What happened before without a notification cannot be told apart from the skipped version any more.
        guard contents != nil, self.version == realm.store.version else { return {} }
        let new = state.contents()
        return { [self] in
            contents = new
            self.version = version
            realm.reading(or: ()) { () throws(Realm.Error) in try paths.begin(realm.store) }
        }
    }
}
