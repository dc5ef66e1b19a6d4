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
            let statement = try PreparedStatement(PlainObjectReading.rows, in: database)
            defer { statement.reset() }
            try statement.bind(number, at: 1)
            let isFirst = name == object?.className
            try statement.bind(isFirst ? object.map { OrderedBytes.of($0.key) } ?? [] : [], at: 2)
            var reading = PlainObjectReading(of: name)
            var hasRow = try statement.step()
            while hasRow {
                let read = try reading.next(from: statement, &hasRow)
                left -= read.bytes
                if left < 0, let last = objects.last {
                    return ObjectPage(objects: objects, next: last.address, head: realm.status.head)
                }
                let literals =
                    try read.given.map { [ChangeOperation(read.address, .create(given: $0, defaults: [:]))] }
                    ?? snapshot(of: read.address)
                objects.append(StoredObject(address: read.address, changed: read.changed, literals: literals))
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

    /// Returns what makes an object, by the rules.
    private func snapshot(of address: ObjectAddress) throws -> [ChangeOperation] {
        let literals = state.snapshot(of: address)
        if let failure = state.failure { throw failure }
        try state.forgetMuch()
        return literals
    }
}
