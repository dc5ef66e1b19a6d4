/// What linked to objects when a handler was called last, for key paths that lead links backwards.
///
/// The change log says which objects were touched, and the file who links now; who did before, only this knows. So a handler of such a path has
/// the links of that property in memory, 16 bytes each, and reads them again after each transaction that changed an object of their class.
final class ObservedOrigins {
    /// A property that links.
    struct Place: Hashable {
        let className: String
        let slot: Int
    }

    private let places: Set<Place>
    /// The rows that link to each row, as the handler knows them.
    private var linkers: [Place: [Int64: [Int64]]] = [:]
    /// What was found at a version, so that several paths have one answer.
    private var latest: [Place: (version: UInt64, changed: ChangedKeys)] = [:]

    /// Notes which properties are led backwards.
    init(_ places: Set<Place>) { self.places = places }

    /// Reads the links as they are now.
    ///
    /// - Complexity: O(*n*) in the count of links.
    func begin(_ store: StoreConnection) throws(Realm.Error) {
        latest = [:]
        for place in places { linkers[place] = try read(place, store) }
    }

    /// The objects to which others link than before, or in another number.
    func changed(
        _ place: Place,
        _ store: StoreConnection,
        _ changes: LoggedChanges
    ) throws(Realm.Error) -> ChangedKeys {
        if let latest = latest[place], latest.version == store.version { return latest.changed }
        guard let logged = changes[place.className], !logged.isEmpty else { return ChangedKeys() }
        let now = try read(place, store)
        let before = linkers[place] ?? [:]
        linkers[place] = now
        let gone = before.keys.filter { now[$0] == nil }
        let other = now.filter { before[$0.key] != $0.value }.keys
        let changed = ChangedKeys((gone + other).map { $0...$0 })
        latest[place] = (store.version, changed)
        return changed
    }

    private func read(_ place: Place, _ store: StoreConnection) throws(Realm.Error) -> [Int64: [Int64]] {
        guard let table = store.table(named: place.className) else { return [:] }
        let links = table.place(place.slot)
        let statement = try table.statement(
            """
            SELECT \(links.value), \(links.owner) FROM \(links.table) WHERE \(links.value) IS NOT NULL \
            ORDER BY \(links.value), \(links.owner)
            """
        )
        var linkers: [Int64: [Int64]] = [:]
        while try statement.step() { linkers[statement.int(0), default: []].append(statement.int(1)) }
        return linkers
    }
}
