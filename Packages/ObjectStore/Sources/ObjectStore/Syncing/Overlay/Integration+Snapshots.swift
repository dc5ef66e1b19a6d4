import ChangeModel
import EventModel
import ObjectQueries

extension Integration {
    /// Makes the file what a snapshot has, with what is pending over it.
    ///
    /// What nobody has changed since the file's position is what the snapshot says already, and stays: nobody is told of it,
    /// and what an app holds of it goes on.
    ///
    /// - Parameters:
    ///   - snapshot: The pages.
    ///   - head: The number of the newest entry when it began.
    ///   - dropped: What ``dropPending(through:)`` dropped.
    /// - Throws: A `Realm.Error` when the snapshot does not fit the schema or the file cannot be written to; the transaction must be
    ///   rolled back then.
    mutating func begin(
        with snapshot: SnapshotTables,
        at head: Int,
        dropped: DroppedWrites
    ) throws(Realm.Error) {
        let position = standing.position
        standing.position = head
        newer = [:]
        try snapshot.removeNewer()
        // What is put aside is put aside anew, which only what is written anew has.
        let isAside = try unknown.exist()
        let mayStay = !isAside && !dropped.hasDeletion
        try unknown.removeAll()
        // In a new file there is nothing that the snapshot could lack, and a million names are much.
        let hadObjects = try hasObjects()
        var names: Set<ObjectAddress> = []
        var stayed: Set<ObjectAddress> = []
        // What is pending stays as it is meanwhile; an integration that may change would be copied for each object.
        let integration = self
        try snapshot.forEachObject { object throws(Realm.Error) in
            if hadObjects { names.insert(object.object) }
            let isKnown = mayStay && object.changed <= position && !dropped.objects.contains(object.object)
            if isKnown, try integration.writer.rows.row(of: object.object) != nil {
                if !integration.pending[object.object].isEmpty { stayed.insert(object.object) }
                return
            }
            if object.changed > head { try snapshot.keepNewer(object) }
            try integration.begin(object)
        }
        newer = try snapshot.newer()
        if hadObjects { try deleteAll(but: names) }
        for change in pending.all {
            // What a pending creation or deletion covers was left as it is: what was done to it before that was done to a former object.
            for (index, operation) in change.operations.enumerated()
            where !pending.covers(operation.object) && !stayed.contains(operation.object) {
                try redo(operation, PendingStamp(change: change.number, clock: change.clock, operation: index))
            }
        }
        try PendingChanges(objects).forgetPlacesWithoutReason()
        try PendingChanges(objects).setStanding(standing)
    }

    /// Makes an object what a snapshot has.
    private func begin(_ object: SnapshotObject) throws(Realm.Error) {
        guard !pending.covers(object.object) else { return }
        for action in object.actions { try write(ChangeOperation(object.object, action), at: .zero) }
    }

    /// Whether the file holds an object, of a class that this program declares or of another one.
    private func hasObjects() throws(Realm.Error) -> Bool {
        for table in objects.store.tables where !table.schema.isEmbedded {
            let select = try table.statement("SELECT 1 FROM \(table.name) LIMIT 1")
            defer { select.reset() }
            if try select.step() { return true }
        }
        return try !unknown.unmanagedObjects().isEmpty
    }

    /// Deletes what the realm does not have any more, and no pending change has made.
    private mutating func deleteAll(but names: Set<ObjectAddress>) throws(Realm.Error) {
        for table in objects.store.tables where !table.schema.isEmbedded {
            for row in try table.statement("SELECT \(StorageNames.key) FROM \(table.name)").keys() {
                guard let object = try address(of: row, table), !names.contains(object), !pending.covers(object)
                else { continue }
                try writer.delete(object)
            }
        }
        for object in try unknown.unmanagedObjects() where !names.contains(object) && !pending.covers(object) {
            _ = try putAside(ChangeOperation(object, .delete), at: .zero, isOwn: false)
        }
    }

    /// Names the object of a row that is there.
    private func address(of row: Int64, _ table: ClassTable) throws(Realm.Error) -> ObjectAddress? {
        if table.isKeyedByInt { return ObjectAddress(table.exactName, .int(row)) }
        // What is looked up is not kept: the objects of a whole class are more than have to be in memory.
        return try SyncedObjects(objects.store).address(table.schema.name, row)
    }

    /// Forgets pending changes that a snapshot has, before it is shown.
    ///
    /// - Returns: What they wrote to: the snapshot says what became of it, and no entry will.
    /// - Throws: A `Realm.Error` when the file cannot be written to.
    mutating func dropPending(through number: Int) throws(Realm.Error) -> DroppedWrites {
        var dropped = DroppedWrites()
        while let own = pending.first, own.number <= number {
            for operation in own.operations { dropped.add(operation) }
            pending.removeFirst()
            standing.next = max(standing.next, own.number + 1)
            standing.settled = max(standing.settled, own.clock)
            try PendingChanges(objects).remove(own.number)
        }
        return dropped
    }

    /// Takes the objects of a snapshot again that the position has reached: what was done to them meanwhile was passed over.
    mutating func catchUp() throws(Realm.Error) {
        guard newer.contains(where: { $0.value <= standing.position }) else { return }
        for object in try SnapshotTables(objects).takeNewer(upTo: standing.position) {
            newer[object.object] = nil
            guard !pending.covers(object.object) else { continue }
            for operation in object.operations { try write(operation, at: .zero) }
            for entry in pending[object.object] { try redo(entry.operation, entry.stamp) }
        }
    }
}

/// What pending changes wrote to that were dropped, as a snapshot has them.
struct DroppedWrites {
    /// The objects.
    private(set) var objects: Set<ObjectAddress> = []
    /// Whether one deleted an object: what linked to it lost the link, wherever that was.
    private(set) var hasDeletion = false

    fileprivate mutating func add(_ operation: ChangeOperation) {
        objects.insert(operation.object)
        if case .delete = operation.action { hasDeletion = true }
    }
}
