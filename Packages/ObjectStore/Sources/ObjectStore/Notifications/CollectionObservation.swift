/// A handler of one collection, with the elements as it knows them.
final class CollectionObservation: Observation {
    /// What the handler is told.
    enum Event: Equatable {
        case initial
        case update(deletions: [Int], insertions: [Int], modifications: [Int])
    }

    private let source: ObservedSource
    private let paths: ObservedPaths
    private let handler: (Event) -> Void
    /// The elements that the handler knows; nil before the first call.
    private var contents: ObservedSource.Contents?

    init(_ source: ObservedSource, _ paths: ObservedPaths, _ handler: @escaping (Event) -> Void) {
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
    /// - Returns: What is to be told of it; nil when nothing happened to the collection.
    func next() -> Event? {
        realm.beginReading()
        return realm.reading { () throws(Realm.Error) in
            guard let known = contents else {
                contents = try source.contents() ?? .rows([])
                version = realm.store.version
                return .initial
            }
            guard version != realm.store.version, let notifier = realm.notifier else { return nil }
            let changes = notifier.changes(since: version)
            version = realm.store.version
            return try event(from: known, changes)
        }
    }

    private func event(
        from old: ObservedSource.Contents,
        _ changes: LoggedChanges
    ) throws(Realm.Error) -> Event? {
        let new = try source.mayDiffer(changes) ? source.contents() ?? old.empty : old
        contents = new
        let (oldKeys, newKeys) = Self.keys(old, new)
        let difference = ListDifference(from: oldKeys, to: newKeys, pairing: source.isAssignable)
        var changed = ChangedKeys()
        if let elements = source.elements {
            changed = try ChangeTracer(realm.store, changes).changed(elements, paths)
        }
        let modifications =
            changed.isEmpty
            ? difference.replacements
            : difference.modifications(in: oldKeys) { changed.contains($0) }
        guard !difference.isEmpty || !modifications.isEmpty else { return nil }
        return .update(
            deletions: difference.deletions,
            insertions: difference.insertions,
            modifications: modifications
        )
    }

    /// Both as numbers that are equal where the elements are.
    private static func keys(_ old: ObservedSource.Contents, _ new: ObservedSource.Contents) -> ([Int64], [Int64]) {
        switch (old, new) {
        case (.rows(let old), .rows(let new)): return (old, new)
        case (.values(let old), .values(let new)):
            var numbers: [StoredValue: Int64] = [:]
            func number(_ value: StoredValue) -> Int64 {
                if let number = numbers[value] { return number }
                numbers[value] = Int64(numbers.count)
                return Int64(numbers.count - 1)
            }
            return (old.map(number), new.map(number))
        case (.rows(let old), .values): return (old, [])
        case (.values, .rows(let new)): return ([], new)
        }
    }

    override func skip(_ version: UInt64) -> () -> Void {
        // What happened before and was not told yet cannot be told apart from the skipped version any more.
        guard contents != nil, self.version == realm.store.version else { return {} }
        let contents = realm.reading { () throws(Realm.Error) in try source.contents() }
        return { [self] in
            self.contents = contents ?? self.contents?.empty
            self.version = version
        }
    }
}

extension ObservedSource.Contents {
    /// No elements of the same kind.
    var empty: ObservedSource.Contents {
        switch self {
        case .rows: .rows([])
        case .values: .values([])
        }
    }
}
