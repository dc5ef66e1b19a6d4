import ChangeModel
import EventModel
import ObjectQueries

/// The order of one list as the server has it, beside the order that is shown.
///
/// What is shown lies in the rows of the list. An element that a pending change put somewhere is noted as *placed*, one that is not
/// shown where the server has it keeps a *place*; all of both orders have positions that can be compared. Where a pending change put an
/// element on the position of a place it stands in front of that. So the server's order is that of
/// all rows that are not placed, and of all places.
struct ListPlaces {
    /// The quoted name of the list's table.
    let table: String
    let owner: Int64
    let objects: SyncedObjects

    init(table: String, owner: Int64, objects: SyncedObjects) {
        self.table = table
        self.owner = owner
        self.objects = objects
    }

    init(rows: CollectionRows, objects: SyncedObjects) {
        self.init(table: rows.table, owner: rows.owner, objects: objects)
    }

    /// How many elements of a run find room before what is left of it is a third.
    private static let runLength: Int64 = 1024
    /// How much room there is at a place where there was none: for ten thousand elements of a run.
    private static let room = OrderKeys.spacing << 16

    private func statement(_ sql: String) throws(Realm.Error) -> Statement {
        let statement = try objects.statement(sql)
        statement.bind(1, table)
        statement.bind(2, owner)
        return statement
    }

    // MARK: Elements

    /// Where an element that is not shown stands.
    func place(of id: ElementID) throws(Realm.Error) -> Double? {
        let select = try statement(
            "SELECT position FROM \(SyncTables.places) WHERE list = ?1 AND owner = ?2 AND element = ?3"
        )
        select.bind(3, Int64(id.bits))
        defer { select.reset() }
        return try select.step() ? select.double(0) : nil
    }

    func setPlace(of id: ElementID, _ position: Double) throws(Realm.Error) {
        objects.front = nil
        let insert = try statement("INSERT OR REPLACE INTO \(SyncTables.places) VALUES (?1, ?2, ?3, ?4)")
        insert.bind(3, Int64(id.bits))
        Value.double(position).bind(to: insert.handle, at: 4)
        try insert.run()
    }

    func removePlace(of id: ElementID) throws(Realm.Error) {
        let delete = try statement("DELETE FROM \(SyncTables.places) WHERE list = ?1 AND owner = ?2 AND element = ?3")
        delete.bind(3, Int64(id.bits))
        try delete.run()
        if objects.store.connection.changes > 0 { objects.front = nil }
    }

    /// When a pending change put an element where it is shown; nil when it stands where the server has it.
    func placing(of id: ElementID) throws(Realm.Error) -> (change: Int, clock: HybridClock)? {
        let select = try statement(
            "SELECT change, clock FROM \(SyncTables.placed) WHERE list = ?1 AND owner = ?2 AND element = ?3"
        )
        select.bind(3, Int64(id.bits))
        defer { select.reset() }
        guard try select.step() else { return nil }
        return (Int(select.int(0)), HybridClock(bits: UInt64(bitPattern: select.int(1))))
    }

    func setPlaced(_ id: ElementID, by stamp: PendingStamp) throws(Realm.Error) {
        objects.front = nil
        let insert = try statement("INSERT OR REPLACE INTO \(SyncTables.placed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        insert.bind(3, Int64(id.bits))
        insert.bind(4, Int64(stamp.change))
        insert.bind(5, Int64(bitPattern: stamp.clock.bits))
        insert.bind(6, Int64(stamp.operation))
        try insert.run()
    }

    func removePlaced(_ id: ElementID) throws(Realm.Error) {
        objects.front = nil
        let delete = try statement("DELETE FROM \(SyncTables.placed) WHERE list = ?1 AND owner = ?2 AND element = ?3")
        delete.bind(3, Int64(id.bits))
        try delete.run()
    }

    // MARK: Hiding

    /// Why an element keeps a place where the server has it; the numbers are those of the file.
    enum Reason: Int64 {
        /// A pending change took it away.
        case removed = 0
        /// A pending change deleted what it links to.
        case unlinked = 1
        /// A pending change moved it: it is shown, unless something else keeps it from that.
        case moved = 2
    }

    /// Notes that a pending change took an element away, moved it, or deleted what it links to.
    func hide(_ id: ElementID, by change: Int, _ reason: Reason) throws(Realm.Error) {
        let insert = try statement("INSERT OR REPLACE INTO \(SyncTables.hides) VALUES (?1, ?2, ?3, ?4, ?5)")
        insert.bind(3, Int64(id.bits))
        insert.bind(4, Int64(change))
        insert.bind(5, reason.rawValue)
        try insert.run()
    }

    /// Whether a pending change took an element away.
    func isHidden(_ id: ElementID) throws(Realm.Error) -> Bool {
        let select = try statement(
            """
            SELECT 1 FROM \(SyncTables.hides) WHERE list = ?1 AND owner = ?2 AND element = ?3 \
            AND isLink = \(Reason.removed.rawValue) LIMIT 1
            """
        )
        select.bind(3, Int64(id.bits))
        defer { select.reset() }
        return try select.step()
    }

    /// Lets an element be shown again that linked to what a pending change deleted: it has another value.
    func relink(_ id: ElementID) throws(Realm.Error) {
        let delete = try statement(
            """
            DELETE FROM \(SyncTables.hides) WHERE list = ?1 AND owner = ?2 AND element = ?3 \
            AND isLink = \(Reason.unlinked.rawValue)
            """
        )
        delete.bind(3, Int64(id.bits))
        try delete.run()
    }

    /// Forgets everything about the list.
    func forget() throws(Realm.Error) {
        objects.front = nil
        for table in [SyncTables.places, SyncTables.hides, SyncTables.placed] {
            try statement("DELETE FROM \(table) WHERE list = ?1 AND owner = ?2").run()
        }
    }

    /// The elements that the server has in the list.
    func confirmed() throws(Realm.Error) -> [ElementID] {
        let select = try statement(
            """
            SELECT \(StorageNames.element) FROM \(table) WHERE \(StorageNames.owner) = ?2 AND \(StorageNames.element) \
            NOT IN (SELECT element FROM \(SyncTables.placed) WHERE list = ?1 AND owner = ?2) \
            UNION SELECT element FROM \(SyncTables.places) WHERE list = ?1 AND owner = ?2
            """
        )
        return try select.keys().compactMap { ElementID($0) }
    }

    /// The elements that are shown.
    func shown() throws(Realm.Error) -> [ElementID] {
        let select = try objects.statement(
            "SELECT \(StorageNames.element) FROM \(table) WHERE \(StorageNames.owner) = ?1"
        )
        select.bind(1, owner)
        return try select.keys().compactMap { ElementID($0) }
    }

    // MARK: Positions

    /// Where the server has an element, whether it is shown there or not; nil when the server has it nowhere.
    func confirmedPosition(of id: ElementID) throws(Realm.Error) -> Double? {
        if let place = try place(of: id) { return place }
        guard try placing(of: id) == nil else { return nil }
        return try shownPosition(of: id).map { Double($0) }
    }

    func shownPosition(of id: ElementID) throws(Realm.Error) -> Int64? {
        let select = try objects.statement(
            """
            SELECT \(StorageNames.position) FROM \(table) \
            WHERE \(StorageNames.element) = ?2 AND +\(StorageNames.owner) = ?1
            """
        )
        select.bind(1, owner)
        select.bind(2, Int64(id.bits))
        defer { select.reset() }
        return try select.step() ? select.int(0) : nil
    }

    /// The element that is shown last before a position; nil for none.
    private func shown(before position: Double?) throws(Realm.Error) -> (position: Int64, id: ElementID)? {
        let condition = position == nil ? "" : "AND \(StorageNames.position) < ?2"
        let select = try objects.statement(
            """
            SELECT \(StorageNames.position), \(StorageNames.element) FROM \(table) \
            WHERE \(StorageNames.owner) = ?1 \(condition) ORDER BY \(StorageNames.position) DESC LIMIT 1
            """
        )
        select.bind(1, owner)
        // A whole number that is no less: rows have no other positions.
        if let position { select.bind(2, Int64(position.rounded(.up))) }
        defer { select.reset() }
        guard try select.step(), let id = ElementID(select.int(1)) else { return nil }
        return (select.int(0), id)
    }

    /// Whether an element is what is shown last before a position.
    func isLast(_ id: ElementID, before position: Double?) throws(Realm.Error) -> Bool {
        guard let last = try shown(before: position), last.id == id else { return false }
        return try lastPlace(before: position).map { $0 < Double(last.position) } ?? true
    }

    /// The last place before a position; nil for none.
    private func lastPlace(before position: Double?) throws(Realm.Error) -> Double? {
        let condition = position == nil ? "" : "AND position < ?3"
        let select = try statement(
            "SELECT max(position) FROM \(SyncTables.places) WHERE list = ?1 AND owner = ?2 \(condition)"
        )
        if let position { Value.double(position).bind(to: select.handle, at: 3) }
        defer { select.reset() }
        return try select.step() && !select.isNull(0) ? select.double(0) : nil
    }

    /// The position in front of an element that the server has, behind pending ones that are older than a time.
    ///
    /// The elements of a run are put in front of the same one at the same time. The second one of them finds its position noted, so that a run
    /// does not look at what is pending again and again.
    ///
    /// - Parameters:
    ///   - right: The element; nil is the end.
    ///   - clock: When the element was put there that comes there.
    /// - Returns: The position before which it comes; nil is the end.
    /// - Throws: A `Realm.Error` when the file cannot be read.
    func position(before right: ElementID?, at clock: HybridClock) throws(Realm.Error) -> Double? {
        if let front = front(before: right, at: clock) { return front.position }
        let end = try right.flatMap { right throws(Realm.Error) in try confirmedPosition(of: right) }
        let position = try firstPending(before: end, after: clock) ?? end
        objects.front = ListFront(table: table, owner: owner, right: right, clock: clock, position: position)
        return position
    }

    /// Where the last element came, if it was put in front of the same one at the same time.
    func front(before right: ElementID?, at clock: HybridClock) -> ListFront? {
        objects.front.flatMap { front in
            front.table == table && front.owner == owner && front.right == right && front.clock == clock ? front : nil
        }
    }

    /// The first of the pending elements that are newer than a time and stand directly in front of a position; nil where there is none.
    ///
    /// - Complexity: O(*n*) in these elements, in one statement.
    private func firstPending(before end: Double?, after clock: HybridClock) throws(Realm.Error) -> Double? {
        let condition = end == nil ? "" : "AND \(StorageNames.position) < ?4"
        // Times are numbers without a sign.
        let older = try statement(
            """
            SELECT \(StorageNames.position) FROM \(table) AS shown WHERE \(StorageNames.owner) = ?2 \(condition) \
            AND NOT EXISTS (SELECT 1 FROM \(SyncTables.placed) AS placed WHERE placed.list = ?1 AND placed.owner = ?2 \
            AND placed.element = shown.\(StorageNames.element) AND (placed.clock < 0, placed.clock) > (?3 < 0, ?3)) \
            ORDER BY \(StorageNames.position) DESC LIMIT 1
            """
        )
        older.bind(3, Int64(bitPattern: clock.bits))
        if let end { older.bind(4, Int64(end.rounded(.up))) }
        let lastOlder = try older.step() ? older.double(0) : nil
        older.reset()
        let bounds = [lastOlder, try lastPlace(before: end)].compactMap(\.self)
        let first = try objects.statement(
            """
            SELECT min(\(StorageNames.position)) FROM \(table) WHERE \(StorageNames.owner) = ?1 \
            \(bounds.isEmpty ? "" : "AND \(StorageNames.position) > ?2") \
            \(end == nil ? "" : "AND \(StorageNames.position) < ?3")
            """
        )
        first.bind(1, owner)
        if let bound = bounds.max() { Value.double(bound).bind(to: first.handle, at: 2) }
        if let end { first.bind(3, Int64(end.rounded(.up))) }
        defer { first.reset() }
        return try first.step() && !first.isNull(0) ? first.double(0) : nil
    }

    /// A position that nobody has, directly in front of another one; elements around it get other positions where there is none.
    ///
    /// - Parameters:
    ///   - position: The other one; nil is the end.
    ///   - isRun: Whether more are to come in front of the same one: then most of the room is left for them.
    /// - Returns: The position.
    /// - Throws: A `Realm.Error` when the file cannot be read or written to.
    func freeKey(before position: Double?, isRun: Bool = false) throws(Realm.Error) -> Int64 {
        let lower = [try shown(before: position).map { Double($0.position) }, try lastPlace(before: position)]
            .compactMap(\.self).max()
        guard let position else { return lower.map { OrderKeys.after(Int64($0.rounded(.up))) } ?? 0 }
        guard let lower else { return OrderKeys.before(Int64(position.rounded(.down))) }
        let (first, last) = (Int64(lower.rounded(.down)) + 1, Int64(position.rounded(.up)) - 1)
        if first <= last { return first + (last - first) / (isRun ? Self.runLength : 2) }
        return try makeRoom(before: position)
    }

    /// A place directly in front of another one.
    func freePlace(before position: Double?) throws(Realm.Error) -> Double {
        let lower = [try shown(before: position).map { Double($0.position) }, try lastPlace(before: position)]
            .compactMap(\.self).max()
        guard let position else { return lower.map { $0 + Double(OrderKeys.spacing) } ?? 0 }
        guard let lower else { return position - Double(OrderKeys.spacing) }
        let middle = lower + (position - lower) / 2
        if middle > lower, middle < position { return middle }
        return Double(try makeRoom(before: position))
    }

    /// Gives all elements and places of the list other positions, with room between them.
    ///
    /// - Returns: A free position directly in front of what had one.
    private func makeRoom(before position: Double) throws(Realm.Error) -> Int64 {
        let select = try objects.statement(
            """
            SELECT \(StorageNames.position), \(StorageNames.element), 1 FROM \(table) WHERE \(StorageNames.owner) = ?2 \
            UNION ALL SELECT position, element, 0 FROM \(SyncTables.places) WHERE list = ?1 AND owner = ?2 \
            ORDER BY 1, 3 DESC
            """
        )
        select.bind(1, table)
        select.bind(2, owner)
        var all: [(position: Double, id: ElementID, isShown: Bool)] = []
        while try select.step() {
            guard let id = ElementID(select.int(1)) else { continue }
            all.append((select.double(0), id, select.int(2) == 1))
        }
        let (spacing, room) = (OrderKeys.spacing, Self.room)
        let first = (all.first.map { Int64($0.position.rounded(.down)) } ?? 0) &- spacing &* 2
        let index = all.firstIndex { $0.position >= position } ?? all.count
        // All go in front of the list first, from the left: no two rows ever have one position.
        for (offset, element) in all.enumerated() {
            let new = first &- spacing &* Int64(all.count - offset) &- (offset < index ? room : 0)
            if element.isShown {
                try reposition(Int64(element.position), to: new)
            } else {
                try setPlace(of: element.id, Double(new))
            }
        }
        return first &- spacing &* Int64(all.count - index) &- room / 2
    }

    /// Lets the places among some rows follow these to other positions.
    func follow(_ following: Repositioning) throws(Realm.Error) {
        let select = try statement("SELECT element, position FROM \(SyncTables.places) WHERE list = ?1 AND owner = ?2")
        var places: [(ElementID, Double)] = []
        while try select.step() {
            if let id = ElementID(select.int(0)) { places.append((id, select.double(1))) }
        }
        for (id, position) in places {
            let new = following.position(position)
            if new != position { try setPlace(of: id, new) }
        }
    }

    func reposition(_ old: Int64, to new: Int64) throws(Realm.Error) {
        guard old != new else { return }
        objects.front = nil
        let update = try objects.statement(
            """
            UPDATE \(table) SET \(StorageNames.position) = ?3 \
            WHERE \(StorageNames.owner) = ?1 AND \(StorageNames.position) = ?2
            """
        )
        update.bind(1, owner)
        update.bind(2, old)
        update.bind(3, new)
        try update.run()
    }
}

/// In front of what the last element came that the server put into a list.
struct ListFront {
    let table: String
    let owner: Int64
    /// The element that it was put in front of; nil is the end.
    let right: ElementID?
    /// When it was put there.
    let clock: HybridClock
    /// The position before which it came; nil is the end.
    let position: Double?
}

/// When a pending change did something: its number, its time, and the index of the operation in it.
struct PendingStamp: Equatable {
    let change: Int
    let clock: HybridClock
    let operation: Int
}
