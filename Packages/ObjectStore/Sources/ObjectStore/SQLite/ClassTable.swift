import EventModel
import ObjectQueries
public import Synchronization

/// The table of one class as one connection sees it: prepared statements and the counter that makes rows stale.
@usableFromInline
final class ClassTable {
    let schema: ClassSchema
    @usableFromInline let slots: SlotTable
    /// How far the slots of a row lie behind its start, in bytes.
    @usableFromInline let slotsOffset: Int
    /// Grows whenever an accessor has to read its row again: it may have changed, or an observer wants a report.
    @exclusivity(unchecked)
    @usableFromInline
    var generation: UInt64 = 1
    /// How often rows are read again that did not change.
    private var lookCount: UInt64 = 0
    /// Grows whenever a row of the class may have changed.
    var contentGeneration: UInt64 { generation &- lookCount }
    /// Which rows changed since a generation.
    @exclusivity(unchecked)
    private(set) var rowGenerations = RowGenerations()
    /// Which rows have collections that changed since a generation, while their columns may be as they were.
    @exclusivity(unchecked)
    private(set) var collectionGenerations = RowGenerations()
    /// The thread that reads the pinned version; all others have to check their executor first.
    @usableFromInline let reader = Atomic<UInt>(0)
    /// The version that the connection reads.
    @exclusivity(unchecked)
    var version: UInt64 = 0
    /// The rows that the open transaction inserted.
    @exclusivity(unchecked)
    var newRows = NewRows()
    /// The key of the next row, once the open transaction had to know it; greatest when there is none left.
    var nextKey: Int64?
    /// The older rows that this transaction touched.
    @exclusivity(unchecked)
    var touched = TouchedRows()
    /// What the open transaction did beyond that, if the file keeps its changes.
    @exclusivity(unchecked)
    var touchedCells: TouchedCells?
    /// What the open transaction did to the objects of the class, if the file keeps its changes.
    @exclusivity(unchecked)
    var touchedObjects = TouchedCells.Rows()
    /// What the instance wrote last; only while an observer wants to know what is shown.
    var written: WrittenRows?
    /// Tells the change log of other programs whether they mean the same properties by the same slots.
    private(set) lazy var signature = schema.changeSignature

    private var connection: Connection?
    /// The quoted name.
    let name: String
    /// The slot of the primary key that is the row key; nil when it has a column, as during a migration that changes keys.
    private(set) var rowKeySlot: Int?
    private let hasIntKey: Bool
    /// What is read of each row, behind its key.
    private(set) var columns: ContiguousArray<Column>
    /// Packs the rows.
    @exclusivity(unchecked)
    var writer: SnapshotWriter
    /// What ``Realm/object(ofType:forPrimaryKey:)`` found.
    @exclusivity(unchecked)
    var recentRows = RecentRows(capacity: 128)
    /// The stored name of the class, as a server knows it.
    private(set) lazy var exactName = ExactText(schema.name)
    /// The stored names of the properties, by slot.
    private(set) lazy var storedNames = schema.shape.properties.map { ExactText($0.columnName) }
    /// The slots of the stored names.
    private(set) lazy var slotsByName = Dictionary(
        storedNames.enumerated().map { ($1, $0) },
        uniquingKeysWith: { first, _ in first }
    )
    /// Whether a property has a column whose value is no row and has no type beside it, by slot.
    private(set) lazy var scalars = schema.properties.map { property in
        property.isColumn && property.type.target == nil && property.type.kind != .any
    }
    /// Whether that is so for each property that has a column.
    private(set) lazy var hasOnlyScalars = zip(schema.properties, scalars).allSatisfy { !$0.isColumn || $1 }
    /// Whether more lies in an object than its single values.
    private(set) lazy var hasInside =
        !schema.collectionSlots.isEmpty || !schema.anySlots.isEmpty
        || schema.properties.contains { $0.isColumn && $0.type.kind == .embedded }
    /// What properties of new objects hold that no server said anything about; see ``unsaidValue(_:)``.
    var unsaidValues: [Int: Value] = [:]
    /// Where the values were that a server said of an object last.
    var latestSaid: SaidColumns?
    /// What links led to, by the rows' own keys.
    @exclusivity(unchecked)
    var linkedRows = RecentRows(capacity: 128)
    /// Which properties the program reads of objects that it goes through.
    @exclusivity(unchecked)
    var readProperties = ReadProperties()
    private var partial: PartialColumns?
    /// What was recorded of the class, object by object.
    @exclusivity(unchecked)
    var wholeRows = WholeRows()
    /// Packs whole snapshots; nil before the first, and while one is packed.
    var wholeWriter: SnapshotWriter?
    private static let maximumStatementCount = 256
    private var statements: [String: Statement] = [:]
    /// The texts of the latest queries.
    private var queryTexts: [ObjectIdentifier: QueryTexts] = [:]
    /// Those of the query that was asked last.
    private var latestTexts: (query: PreparedQuery, texts: QueryTexts)?
    /// The query for all objects.
    private var everything: AskedQuery?
    /// Selects a row by its key; nil before its first use, as the others.
    var selectRow: Statement?
    /// Selects a row by its primary key.
    var selectKeyed: Statement?
    /// Selects the key of a row by its primary key.
    var findRow: Statement?
    /// Inserts a row.
    var insertRow: Statement?
    /// Updates a column, by its slot.
    var updates: [Statement?]
    /// Updates a column that has another value, by its slot.
    var differingUpdates: [Statement?]
    /// The statements of collections, by slot; behind them those of lists and dictionaries inside values of any type.
    private var elementStatements: [ElementStatements?]
    /// What is read of new rows to be sent; nil before the first.
    var everySentColumn: SentColumns?
    /// What was read to be sent last of rows that were there, and the properties that were written of them.
    var latestSentColumns: (slots: ExactSlots, columns: SentColumns)?
    /// The texts of the row that is being inserted.
    let insertedTexts = TextBuffer()

    /// Whether the open transaction inserted a row.
    @inline(__always)
    func isNew(_ key: Int64) -> Bool { newRows.contains(key) }

    /// How a column is read.
    struct Column {
        let slot: Int
        let kind: PropertyShape.Kind
        let isOptional: Bool
        /// Whether it is the key of the row, so that it is known without asking for it.
        var isRowKey = false
    }

    init(schema: ClassSchema, connection: Connection?) {
        self.schema = schema
        self.connection = connection
        slots = schema.slots
        rowKeySlot = schema.rowKeySlot
        hasIntKey = schema.rowKey?.isInt ?? false
        slotsOffset = schema.rowShape.slotsOffset
        name = StorageNames.table(schema.name)
        columns = ContiguousArray(
            schema.properties.filter(\.isColumn)
                .map { property in
                    let shape = schema.rowShape.properties[property.slot]
                    return Column(
                        slot: property.slot,
                        kind: shape.kind,
                        isOptional: shape.isOptional,
                        isRowKey: property.slot == schema.rowKeySlot
                    )
                }
        )
        writer = SnapshotWriter(shape: schema.rowShape)
        updates = Array(repeating: nil, count: schema.properties.count)
        differingUpdates = updates
        elementStatements = Array(repeating: nil, count: schema.properties.count + 2)
    }

    /// Goes on with another connection.
    func reconnect(_ new: Connection) {
        connection = new
        forgetStatements()
    }

    /// Prepares all statements anew when they are needed.
    func forgetStatements() {
        statements = [:]
        queryTexts = [:]
        latestTexts = nil
        (selectRow, selectKeyed, findRow, insertRow) = (nil, nil, nil, nil)
        (everySentColumn, latestSentColumns) = (nil, nil)
        updates = Array(repeating: nil, count: updates.count)
        differingUpdates = updates
        elementStatements = Array(repeating: nil, count: elementStatements.count)
    }

    /// Goes on with a table that has a column for the primary key, too.
    func separateKey() {
        rowKeySlot = nil
        for index in columns.indices { columns[index].isRowKey = false }
        partial = nil
    }

    /// Whether objects are found by an `Int` that is the row's key.
    @inline(__always)
    var isKeyedByInt: Bool { hasIntKey && rowKeySlot != nil }

    /// The columns that the program reads of the objects that it goes through; nil when all are to be read.
    func partialColumns() -> PartialColumns? {
        guard schema.properties.count <= LoadedSlots.maximumCount else { return nil }
        let properties = readProperties.slots & ~PartialColumns.withoutColumn(columns)
        // To leave a single column out gains less than it costs to ask for it later.
        guard properties != 0, properties.nonzeroBitCount <= columns.count - 2 else { return nil }
        if let partial, partial.loaded & ~PartialColumns.withoutColumn(columns) == properties { return partial }
        let made = PartialColumns(columns, reading: properties)
        partial = made
        return made
    }

    /// The key and all columns of the table under an alias, in the order that ``readRow(_:)`` expects.
    func columnList(of alias: String) -> String { columnList(of: alias, columns) }

    /// The key and some columns of the table under an alias.
    func columnList(of alias: String, _ columns: ContiguousArray<Column>) -> String {
        let names = [StorageNames.key] + columns.flatMap(columnNames)
        return names.map { "\(alias).\($0)" }.joined(separator: ", ")
    }

    /// How many columns ``columnList(of:)`` names.
    var columnCount: Int32 { Int32(1 + columns.count + schema.anySlots.count) }

    /// The columns of a property: a value of any type has one for its type, too.
    func columnNames(_ column: Column) -> [String] {
        let name = self.column(column.slot)
        return column.kind == .any ? [name, StorageNames.typeColumn(schema.shape.properties[column.slot])] : [name]
    }

    /// Makes every row stale.
    func didChangeRows() {
        generation += 1
        rowGenerations.noteAll(at: generation)
    }

    /// Lets each accessor read its row again, so that it names the version that is read now.
    func didChangeVersion() {
        generation += 1
        rowGenerations.noteVersion(at: generation)
    }

    /// Makes one row stale; accessors of the others only look at that once.
    @inline(__always)
    func didChangeRow(_ key: Int64) {
        generation += 1
        rowGenerations.note(key, at: generation)
    }

    /// Makes the collections of one row stale; its columns are as they were.
    @inline(__always)
    func didChangeCollection(_ key: Int64) {
        generation += 1
        collectionGenerations.note(key, at: generation)
    }

    /// Keeps what is read behind a transaction apart from what the next one changes.
    func didEndTransaction() {
        rowGenerations.seal()
        collectionGenerations.seal()
    }

    /// Whether the collections of a row are as they were at a generation.
    func hasSameCollections(_ key: Int64, since generation: UInt64) -> Bool {
        rowGenerations.hasSameContents(key, since: generation)
            && collectionGenerations.hasSameContents(key, since: generation)
    }

    /// Lets each accessor read its row again, though none changed.
    func lookAgain() {
        generation += 1
        lookCount += 1
    }

    /// A statement that is prepared once for this table.
    func statement(_ sql: String) throws(Realm.Error) -> Statement {
        if let statement = statements[sql] { return statement }
        guard let connection else {
            throw Realm.Error(.fail, "The class '\(schema.name)' is only known by name here and has no table.")
        }
        let statement = try connection.prepare(sql)
        makeRoom()
        statements[sql] = statement
        return statement
    }

    /// The query for all objects of the class, with which most questions begin.
    func askedForAll(_ queries: CompiledQueries) throws(QueryError) -> AskedQuery {
        if let everything { return everything }
        let made = try queries.query(QueryPlan(schema.name))
        everything = made
        return made
    }

    /// The statements of a query, put together once.
    func texts(of query: PreparedQuery) -> QueryTexts {
        if let latestTexts, latestTexts.query === query { return latestTexts.texts }
        let id = ObjectIdentifier(query)
        if let known = queryTexts[id] {
            latestTexts = (query, known)
            return known
        }
        let made = QueryTexts(query, columns: columnList(of: query.query.alias))
        if queryTexts.count >= Self.maximumStatementCount { queryTexts.removeAll(keepingCapacity: true) }
        queryTexts[id] = made
        return made
    }

    /// The statements of the collection of a slot.
    func statements(ofElementsAt slot: Int) -> ElementStatements { kept(slot) }

    /// The statements of the lists, or of the dictionaries, inside values of any type.
    func statements(ofNested isDictionary: Bool) -> ElementStatements {
        kept(elementStatements.count - (isDictionary ? 1 : 2))
    }

    private func kept(_ index: Int) -> ElementStatements {
        if let known = elementStatements[index] { return known }
        let made = ElementStatements()
        elementStatements[index] = made
        return made
    }

    /// Takes a statement out, so that nobody else uses it until ``giveBack(_:_:)``.
    func takeStatement(_ sql: String) throws(Realm.Error) -> Statement {
        let statement = try statement(sql)
        statements[sql] = nil
        return statement
    }

    /// Makes a statement that was taken out available again.
    func giveBack(_ statement: Statement, _ sql: String) {
        makeRoom()
        statements[sql] = statement
    }

    /// Forgets all statements before there are too many: the text of a query says how many values it compares with.
    private func makeRoom() {
        if statements.count >= Self.maximumStatementCount {
            statements.removeAll(keepingCapacity: true)
            queryTexts.removeAll(keepingCapacity: true)
            latestTexts = nil
        }
    }

    /// The key of the row that was inserted last.
    var lastInsertedKey: Int64 { connection?.lastInsertedKey ?? 0 }

    /// How many rows the last statement changed.
    var changes: Int { connection?.changes ?? 0 }
}
