import EventModel
import ObjectQueries
import Synchronization

/// The elements of a collection in a realm: rows of the property's own table, read together and kept while current.
///
/// Each row has the owner's key, a label (a position, or the key of a map's entry) and the value.
class ManagedElements<Label: ElementLabel, Element: RealmCollectionValue> {
    let core: ObjectCore
    let slot: Int
    let property: PersistedProperty
    /// The key of the collection when it lies inside a value of any type.
    let nested: Int64?
    /// Whether the elements are of any type.
    let isAny: Bool
    /// Whether the elements are objects.
    let holdsObjects: Bool
    /// The quoted name of the table.
    let table: String
    /// What was read last; see ``isCurrent``.
    @exclusivity(unchecked)
    var contents = Contents()
    /// Whether elements came or went that no event says yet.
    @exclusivity(unchecked)
    private var isNews = false
    /// The generation of the owner's table at which it was reported what came or went; 0 before the first time.
    private var newsGeneration: UInt64 = 0
    /// How many elements were shown last; nil before the first time.
    @exclusivity(unchecked)
    private var shownCount: Int?
    /// The rows of elements that were read lately, and the generation of their table.
    var recent: (generation: UInt64, rows: [Int64: ObjectSnapshot]) = (0, [:])
    /// Whole snapshots of the elements, once an observer wanted them, and the state of their class that they are of.
    private var captured: (rows: [Int64: ObjectSnapshot], state: UInt64)?

    /// All elements, as of one moment.
    struct Contents {
        /// The generation of the owner's table that the elements were read at; 0 before the first read.
        var generation: UInt64 = 0
        /// The state of the class of elements that are objects, at which their rows were read.
        var elementState: UInt64 = 0
        var labels = Blocks<Label>()
        /// The elements that are neither objects nor of any type.
        var values = Blocks<Element>()
        /// The elements that are of any type.
        var cells = Blocks<AnyCell>()
        /// The elements that are objects; nil for null.
        var rows = Blocks<_ElementRow?>()

        /// Whether others show the same: which objects, what values, under which keys.
        func shows(_ other: Contents) -> Bool {
            values.elementsEqual(other.values) { $0._identity == $1._identity }
                && cells.elementsEqual(other.cells) { $0.isSame(as: $1) }
                && rows.elementsEqual(other.rows) { $0?.key == $1?.key }
                && (!Label.isKey || labels.elementsEqual(other.labels) { $0.isSame(as: $1) })
        }
    }

    required init(_ core: ObjectCore, _ slot: Int, nested: Int64? = nil) {
        // The owner keeps its collections, which must not keep it in turn: the realm would never be closed.
        self.core = nested == nil ? core.twin : core
        self.slot = slot
        self.nested = nested
        property = core.table.schema.properties[slot]
        isAny = property.type.kind == .any
        holdsObjects = property.type.target != nil
        table =
            nested == nil
            ? StorageNames.table(core.table.schema.name, core.table.schema.shape.properties[slot]) : Label.nestedTable
    }

    /// The key of the collection with its kind, when it lies inside a value of any type.
    var nestedKey: NestedKey? { nested.map { NestedKey(key: $0, isDictionary: Label.isKey) } }

    /// What the rows of the collection have as their owner.
    var ownerKey: Int64 { nested ?? core.key }

    /// The property with its class, for messages.
    var place: String { "\(core.table.schema.name).\(property.name)" }

    /// The kind of collection, for messages.
    var word: String { nested == nil ? "\(property.type.collection)" : "nested \(Label.nestedWord)" }

    /// The realm; nil once the owner is gone.
    var realm: Realm? { isInvalidated ? nil : core.realm.map(Realm.init(core:)) }

    /// Whether the owner is gone, or the collection is no longer inside it.
    var isInvalidated: Bool { !core.isValid || !isNestedValid }

    /// Whether a nested collection is still there.
    private var isNestedValid: Bool {
        guard let nested else { return true }
        let realm = core.confinedRealm
        if realm.version.exclusively({ isCurrent }) { return true }
        realm.beginReading()
        return realm.reading { () throws(Realm.Error) in try NestedCollections(core.table).depth(of: nested) } != nil
    }

    // MARK: Reading

    /// How many elements there are; counted by the database unless the elements were read anyway.
    var count: Int {
        let count = isSettled ? contents.labels.count : countedElements()
        if core.isShowingSeen, let realm = core.realm, !realm.isFrozen { show(count, realm) }
        core.show()
        return count
    }

    private func countedElements() -> Int {
        validate()
        return core.confinedRealm.reading(or: 0) { () throws(Realm.Error) in
            if isCurrent { return contents.labels.count }
            let statement = try prepared(.count, "SELECT count(*) FROM \(table) WHERE \(StorageNames.owner) = ?1")
            statement.bind(1, ownerKey)
            defer { statement.reset() }
            return try statement.step() ? Int(statement.int(0)) : 0
        }
    }

    /// All elements, read again if they may have changed.
    func current() -> Contents {
        validate()
        return core.confinedRealm.version.exclusively { loadedContents() }
    }

    private func loadedContents() -> Contents {
        loadIfNeeded()
        return contents
    }

    /// Reads the elements again if they may have changed.
    func loadIfNeeded() {
        guard !isCurrent else { return }
        let old = contents
        contents = core.confinedRealm.reading(or: Contents()) { () throws(Realm.Error) in try load() }
        captured = nil
        noticeNews(since: old)
    }

    /// Whether the thread is right, a version is pinned, and ``contents`` is of it: what is read most needs no more than this.
    var isSettled: Bool {
        core.table.reader.load(ordering: .relaxed) == ConfinedThread.current.bits
            && contents.generation == core.table.generation
    }

    /// Whether ``contents`` is what the realm has: nothing of the owner changed since it was read.
    var isCurrent: Bool {
        let current = core.table.generation
        if contents.generation == current { return true }
        guard core.table.hasSameCollections(core.key, since: contents.generation) else { return false }
        contents.generation = current
        return true
    }

    /// Makes sure that the owner exists and a version is read.
    func validate() {
        guard !isInvalidated || core.confinedRealm.version.lacksData else {
            misuse(
                """
                The \(word) '\(place)' was used after its object was deleted or its realm was invalidated; check \
                'isInvalidated' first.
                """
            )
        }
        core.confinedRealm.beginReading()
    }

    /// A statement of this collection, prepared at its first use.
    func prepared(
        _ operation: ElementOperation,
        _ text: @autoclosure () -> String
    ) throws(Realm.Error) -> Statement {
        let statements =
            nested == nil ? core.table.statements(ofElementsAt: slot) : core.table.statements(ofNested: Label.isKey)
        if let known = statements[operation] { return known }
        let made = try core.table.statement(text())
        statements[operation] = made
        return made
    }

    private func load() throws(Realm.Error) -> Contents {
        var loaded = Contents()
        loaded.generation = core.table.generation
        guard let target = property.type.target else {
            let columns = isAny ? ", \(StorageNames.valueType)" : ""
            let statement = try prepared(
                .load,
                """
                SELECT \(Label.column), \(StorageNames.value)\(columns) FROM \(table) \
                WHERE \(StorageNames.owner) = ?1 ORDER BY \(Label.column)
                """
            )
            statement.bind(1, ownerKey)
            if !isAny {
                try loadValues(statement, into: &loaded)
                return loaded
            }
            while try statement.step() {
                loaded.labels.append(Label(column: 0, of: statement))
                loaded.cells.append(AnyCell(column: 1, of: statement.handle))
            }
            return loaded
        }
        let realm = core.confinedRealm
        let elements = try realm.table(target)
        loaded.elementState = elements.contentGeneration
        guard realm.isFrozen || realm.observer.listening != nil else {
            try loadKeys(into: &loaded)
            return loaded
        }
        let statement = try elements.statement(
            """
            SELECT \(elements.columnList(of: "e")), l.\(Label.column) FROM \(table) l \
            LEFT JOIN \(StorageNames.table(elements.schema.name)) e \
            ON e.\(StorageNames.key) = l.\(StorageNames.value) \
            WHERE l.\(StorageNames.owner) = ?1 ORDER BY l.\(Label.column)
            """
        )
        let label = elements.columnCount
        statement.bind(1, ownerKey)
        while try statement.step() {
            loaded.labels.append(Label(column: label, of: statement))
            guard !statement.isNull(0) else {
                loaded.rows.append(nil)
                continue
            }
            let row = elements.readRow(statement)
            loaded.rows.append(_ElementRow(key: row.key, snapshot: row, generation: elements.generation))
        }
        return loaded
    }

    /// Reads which objects the elements are, whose rows are read later.
    @_specialize(kind:partial,where Label == Int64)
    private func loadKeys(into loaded: inout Contents) throws(Realm.Error) {
        let statement = try prepared(
            .load,
            """
            SELECT \(Label.column), \(StorageNames.value) FROM \(table) \
            WHERE \(StorageNames.owner) = ?1 ORDER BY \(Label.column)
            """
        )
        statement.bind(1, ownerKey)
        var isAtEnd = false
        while !isAtEnd {
            var labels = ContiguousArray<Label>()
            var rows = ContiguousArray<_ElementRow?>()
            labels.reserveCapacity(Blocks<Label>.limit)
            rows.reserveCapacity(Blocks<Label>.limit)
            while labels.count < Blocks<Label>.limit {
                isAtEnd = try !statement.step()
                if isAtEnd { break }
                labels.append(Label(column: 0, of: statement))
                let isNull = statement.isNull(1)
                rows.append(isNull ? nil : _ElementRow(key: statement.int(1), snapshot: nil, generation: 0))
            }
            loaded.labels.append(block: labels)
            loaded.rows.append(block: rows)
        }
    }

    /// Reads elements that are neither objects nor of any type.
    ///
    /// Compiled once more for each of the types that lists mostly have: code for all types asks each value how it is copied.
    @_specialize(where Label == Int64, Element == Int)
    @_specialize(where Label == Int64, Element == Double)
    @_specialize(where Label == Int64, Element == String)
    @_specialize(where Label == Int64, Element == ObjectId)
    private func loadValues(_ statement: Statement, into loaded: inout Contents) throws(Realm.Error) {
        var isAtEnd = false
        while !isAtEnd {
            var labels = ContiguousArray<Label>()
            var values = ContiguousArray<Element>()
            while labels.count < Blocks<Label>.limit {
                isAtEnd = try !statement.step()
                if isAtEnd { break }
                labels.append(Label(column: 0, of: statement))
                values.append(Element._element(column: 1, of: statement.handle, in: core, slot))
            }
            loaded.labels.append(block: labels)
            loaded.values.append(block: values)
        }
    }

    /// Changes the known elements as the table was changed, so that they need not be read again.
    ///
    /// Elements that were not current before the change are read again when needed.
    ///
    /// - Parameters:
    ///   - wasCurrent: ``isCurrent`` before the change.
    ///   - change: Makes the change, in place.
    func keep(_ wasCurrent: Bool, _ change: (inout Contents) -> Void) {
        guard wasCurrent else { return }
        change(&contents)
        contents.generation = core.table.generation
        captured = nil
    }

    /// Gives elements other labels, as their rows have them now.
    func relabel(_ range: Range<Int>, _ labels: [Label]) { contents.labels.replaceSubrange(range, with: labels) }

    /// Makes the element at a place; an object is not reported to an observer.
    func element(_ contents: Contents, _ index: Int) -> Element {
        if isAny { return any(contents.cells[index], isObserved: false) }
        return holdsObjects ? Element._element(contents.rows[index], of: core, slot) : contents.values[index]
    }

    /// Makes an element of any type.
    func any(_ cell: AnyCell, isObserved: Bool) -> Element {
        guard let element = AnyRealmValue(cell, of: core, slot, isObserved: isObserved) as? Element else {
            misuse("The elements of '\(place)' are of any type and were read as '\(Element.self)'.")
        }
        return element
    }

    // MARK: Recording

    /// Tells an observer, unless it knows, that something of the collection is shown.
    func show() {
        // Several threads read frozen elements at once, which are never news.
        if isNews { tellNews() } else { core.show() }
    }

    private func tellNews() {
        isNews = false
        newsGeneration = core.table.generation
        core.show(isNews: true)
    }

    /// Tells an observer that another count than before is shown.
    private func show(_ count: Int, _ realm: RealmCore) {
        if let shownCount, shownCount != count, isForeign(realm) { tellNews() }
        shownCount = count
    }

    /// Notes whether elements were read again that no event says.
    private func noticeNews(since old: Contents) {
        guard let realm = core.realm, realm.observer.seesShownObjects, !realm.isFrozen else { return }
        shownCount = contents.labels.count
        guard old.generation != 0, isForeign(realm) else { return }
        isNews = !contents.shows(old)
    }

    /// Whether what was read again may be somebody else's: what the instance wrote is in the event of its transaction.
    private func isForeign(_ realm: RealmCore) -> Bool {
        realm.observer.opening != 0 && newsGeneration != core.table.generation && !realm.transaction.hasChanges
            && !realm.recording.isOwnWrite(core.key, core.table)
    }

    /// Tells that an element was reached; all elements are captured together, once for each time they are read.
    func observe(_ key: Int64, among contents: Contents) {
        guard property.type.kind == .link, core.isListenedTo, let realm = core.realm,
            let observer = realm.observer.listening,
            let target = property.type.target
        else { return }
        let table = realm.requireTable(target)
        let known = realm.version.exclusively {
            if let captured, captured.state == table.contentGeneration { return captured.rows }
            let known = Dictionary(whole(contents, table, realm).map { ($0.key, $0) }) { first, _ in first }
            if contents.generation == self.contents.generation { captured = (known, table.contentGeneration) }
            return known
        }
        guard let whole = known[key] else { return }
        let isChanging = realm.transaction.hasChanges
        let keys = contents.rows.compactMap { $0?.key }
        realm.recording.follow(core, slot, whole, table, observer) { [core, slot] in
            isChanging ? realm.recording.targets(of: core, slot, table) { [] } : keys.compactMap { known[$0] }
        }
    }
}

extension ManagedElements {
    /// Whole snapshots of the elements as they are now; inside a write that changed something as they were before it.
    fileprivate func whole(_ contents: Contents, _ table: ClassTable, _ realm: RealmCore) -> [ObjectSnapshot] {
        let rows = contents.rows.compactMap(\.self)
        let keys = rows.map(\.key)
        if realm.transaction.hasChanges { return realm.recording.wholeBefore(keys, table) }
        if contents.elementState == table.contentGeneration, rows.allSatisfy({ $0.snapshot != nil }) {
            return realm.recording.whole(rows.compactMap(\.snapshot), table)
        }
        // What the list refers to changed, and the list itself did not.
        let current = realm.reading(or: [:]) { () throws(Realm.Error) in try table.rows(keys) }
        return realm.recording.whole(keys.compactMap { current[$0] }, table)
    }
}
