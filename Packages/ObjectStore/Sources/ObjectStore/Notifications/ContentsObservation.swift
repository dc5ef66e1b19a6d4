/// A handler of what a collection or a map has, with the contents as it knows them.
final class ContentsObservation<Contents: ObservedContents>: ChangeObservation {
    private let source: ObservedSource
    private let paths: ObservedPaths
    private let handler: (Contents.Event) -> Void
    /// What the handler knows; nil before the first call.
    private var contents: Contents?

    init(_ source: ObservedSource, _ paths: ObservedPaths, _ handler: @escaping (Contents.Event) -> Void) {
        self.source = source
        self.paths = paths
        self.handler = handler
        super.init(source.realm)
    }

    override var awaitsInitialCall: Bool { contents == nil }

    override func deliver() {
        if let event = next() { handler(event) }
    }

    /// Moves to the version that is read.
    ///
    /// - Returns: What the handler is called with; nil when nothing happened to the contents.
    func next() -> Contents.Event? {
        realm.beginReading()
        return realm.reading { () throws(Realm.Error) in
            guard let known = contents else {
                contents = try Contents.read(source, after: nil)
                try paths.begin(realm.store)
                version = realm.store.version
                return Contents.initial
            }
            guard version != realm.store.version, let notifier = realm.notifications.notifier else { return nil }
            let changes = notifier.changes(since: version)
            version = realm.store.version
            let new = source.mayDiffer(changes) ? try Contents.read(source, after: known) : known
            contents = new
            return try new.event(from: known, source, ChangedElements(source, paths, changes))
        }
    }

    override func skip(_ version: UInt64) -> () -> Void {
        // What happened before without a notification cannot be told apart from the skipped version any more.
        guard let known = contents, self.version == realm.store.version else { return {} }
        let new = realm.reading { () throws(Realm.Error) in try Contents.read(source, after: known) }
        return { [self] in
            contents = new
            self.version = version
            realm.reading(or: ()) { () throws(Realm.Error) in try paths.begin(realm.store) }
        }
    }
}
