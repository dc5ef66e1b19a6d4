import ChangeModel
import EventModel
import ObjectQueries

/// The pages of a snapshot that is under way, and the objects of one that are newer than the file's position.
struct SnapshotTables {
    private let objects: SyncedObjects

    init(_ objects: SyncedObjects) { self.objects = objects }

    // MARK: Pages

    func removePages() throws(Realm.Error) { try objects.statement("DELETE FROM \(SyncTables.pages)").run() }

    func append(_ page: SnapshotPage) throws(Realm.Error) {
        let insert = try objects.statement("INSERT INTO \(SyncTables.pages) (page) VALUES (?1)")
        page.encoded.withUnsafeBytes { bindBytes($0, insert.handle, 1) }
        try insert.run()
    }

    /// Visits the objects of all pages, a page at a time.
    func forEachObject(_ body: (SnapshotObject) throws(Realm.Error) -> Void) throws(Realm.Error) {
        let numbers = try objects.statement("SELECT number FROM \(SyncTables.pages) ORDER BY number").keys()
        for number in numbers {
            let select = try objects.statement("SELECT page FROM \(SyncTables.pages) WHERE number = ?1")
            select.bind(1, number)
            guard try select.step() else { continue }
            let bytes = Array(select.bytes(0))
            select.reset()
            for object in try page(bytes).objects { try body(object) }
        }
    }

    private func page(_ bytes: [UInt8]) throws(Realm.Error) -> SnapshotPage {
        do {
            return try SnapshotPage(bytes: bytes)
        } catch {
            throw Realm.Error(.invalidDatabase, "A page of a snapshot is damaged.", details: [error.description])
        }
    }

    // MARK: Newer objects

    func removeNewer() throws(Realm.Error) { try objects.statement("DELETE FROM \(SyncTables.newer)").run() }

    func keepNewer(_ object: SnapshotObject) throws(Realm.Error) {
        let insert = try objects.statement("INSERT INTO \(SyncTables.newer) VALUES (?1, ?2)")
        insert.bind(1, Int64(object.changed))
        SnapshotPage(head: 0, objects: [object], next: nil).encoded
            .withUnsafeBytes { bindBytes($0, insert.handle, 2) }
        try insert.run()
    }

    /// The numbers that the newer objects are of.
    func newer() throws(Realm.Error) -> [ObjectAddress: Int] {
        var newer: [ObjectAddress: Int] = [:]
        for object in try read(upTo: .max) { newer[object.object] = object.changed }
        return newer
    }

    /// Takes out the objects that are of no later number than the position.
    func takeNewer(upTo position: Int) throws(Realm.Error) -> [SnapshotObject] {
        let taken = try read(upTo: position)
        let delete = try objects.statement("DELETE FROM \(SyncTables.newer) WHERE changed <= ?1")
        delete.bind(1, Int64(position))
        try delete.run()
        return taken
    }

    private func read(upTo position: Int) throws(Realm.Error) -> [SnapshotObject] {
        let select = try objects.statement("SELECT page FROM \(SyncTables.newer) WHERE changed <= ?1")
        select.bind(1, Int64(position))
        var pages: [[UInt8]] = []
        while try select.step() { pages.append(Array(select.bytes(0))) }
        var found: [SnapshotObject] = []
        for bytes in pages { found += try page(bytes).objects }
        return found
    }
}
