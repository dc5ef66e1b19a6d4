import ChangeModel
import EventModel
import GRDB
import SyncServer

/// Reads the objects of a realm in the order of class and key, at one moment of its database.
struct ObjectPageReading {
    private let realm: RealmRow
    private let database: Database
    private let state: SQLiteRealmState

    init(_ realm: RealmRow, in database: Database) {
        self.realm = realm
        self.database = database
        state = SQLiteRealmState(realm: realm.number, head: realm.status.head, in: database)
    }

    /// Reads a page.
    ///
    /// - Complexity: O(*n*) in the objects of the page and in the deleted ones between them.
    func page(after object: ObjectAddress?, maximumBytes: Int) throws -> ObjectPage {
        var objects: [StoredObject] = []
        var left = maximumBytes
        for (number, name) in try classes(from: object?.className) {
            let statement = try PreparedStatement(
                """
                SELECT key, changed FROM SyncObject \
                WHERE class = ? AND key > ? AND epoch & 1 = 1 ORDER BY key
                """,
                in: database
            )
            defer { statement.reset() }
            try statement.bind(number, at: 1)
            let isFirst = name == object?.className
            try statement.bind(isFirst ? object.map { OrderedBytes.of($0.key) } ?? [] : [], at: 2)
            while try statement.step() {
                let address = ObjectAddress(name, try OrderedReader.key(try statement.blob(0)))
                let (literals, bytes) = try read(address)
                left -= bytes
                if left < 0, let last = objects.last {
                    return ObjectPage(objects: objects, next: last.address, head: realm.status.head)
                }
                let changed = Int(try statement.number(1))
                objects.append(StoredObject(address: address, changed: changed, literals: literals))
            }
        }
        return ObjectPage(objects: objects, next: nil, head: realm.status.head)
    }

    /// Returns the classes of the realm in the order of their names, from one on.
    private func classes(from name: ExactText?) throws -> [(number: Int64, name: ExactText)] {
        let statement = try PreparedStatement(
            "SELECT class, name FROM SyncClass WHERE realm = ? AND name >= ? ORDER BY name",
            in: database
        )
        defer { statement.reset() }
        try statement.bind(realm.number, at: 1)
        try statement.bind(name?.string ?? "", at: 2)
        var classes: [(number: Int64, name: ExactText)] = []
        while try statement.step() {
            guard let text = statement.text(1) else { throw OrderedReader.damage }
            classes.append((try statement.number(0), ExactText(text)))
        }
        return classes
    }

    /// Returns what makes an object, and how many bytes that takes here.
    private func read(_ address: ObjectAddress) throws -> (literals: [ChangeOperation], bytes: Int) {
        guard let row = try state.row(of: address) else { throw OrderedReader.damage }
        var bytes = 0
        for key in try state.load(below: CellPath(steps: []), of: row.number) {
            let index = try state.slot(key)
            bytes += state.cells[index].storedBytes
        }
        let literals = state.literals(of: address)
        if let failure = state.failure { throw failure }
        try state.forgetMuch()
        return (literals, bytes)
    }
}
