import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// Devices with real files, and a server in memory that keeps the state of each number.
struct SyncedDevices {
    /// One device.
    struct Device {
        let number: UInt32
        let file: TemporaryRealm
        var program: RandomProgram
        /// How many of its changes the server has.
        var sent = 0
        /// How many entries it has integrated.
        var position = 0
    }

    private(set) var devices: [Device] = []
    private(set) var entries: [Entry] = []
    /// What the server has after each entry; the first is before all of them.
    private(set) var states = [InMemoryRealmState()]
    /// The number of the entry that changed an object last.
    private var changed: [ObjectAddress: Int] = [:]
    var generator: SeededGenerator

    init(count: Int, seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        for index in 0..<count { try add(seed: seed &* 31 &+ UInt64(index)) }
    }

    /// Adds a device whose file is new.
    mutating func add(seed: UInt64) throws {
        let file = try TemporaryRealm(FuzzItem.types) { $0.keepsChanges = true }
        let number = UInt32(devices.count + 1)
        let program = try RandomProgram(seed: seed, file.open())
        let history = try #require(HistoryID([UInt8](repeating: 1, count: 16)))
        let binding = FileBinding(history: history, file: number, salt: [1])
        try program.realm.core.writeSynced { integration throws(Realm.Error) in
            try SyncStateTable(integration.objects).setBinding(binding)
        }
        devices.append(Device(number: number, file: file, program: program))
    }

    /// Does something at random: a transaction, an upload or a download of some device.
    mutating func act() throws {
        let index = generator.below(devices.count)
        switch generator.below(4) {
        case 0, 1:
            devices[index].program.lookAgain()
            try devices[index].program.transact()
        case 2: try upload(index, atMost: 1 + generator.below(3))
        default: try download(index, atMost: 1 + generator.below(4))
        }
    }

    /// Sends changes of a device.
    mutating func upload(_ index: Int, atMost count: Int) throws {
        let device = devices[index]
        let store = device.program.realm.core.store
        let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).all() }
        for pending in pending.filter({ $0.number > device.sent }).prefix(count) {
            var state = try #require(states.last)
            let entry = try state.accept(
                Change(number: pending.number, body: pending.body),
                of: device.number,
                user: 1,
                received: pending.reading.wall,
                digest: try #require(Digest([UInt8](repeating: 0, count: 32)))
            )
            devices[index].sent = pending.number
            states.append(state)
            // What goes over the wire has to come out as it went in.
            let arrived = try Entry(bytes: try #require(entry).encoded)
            for literal in arrived.literals { changed[literal.object] = arrived.number }
            entries.append(arrived)
        }
    }

    /// Integrates entries on a device, and compares it with what the server had then.
    mutating func download(_ index: Int, atMost count: Int) throws {
        for entry in entries.dropFirst(devices[index].position).prefix(count) {
            _ = try devices[index].program.realm.core.integrate([entry])
            devices[index].position = entry.number
            let violations = try violations(index)
            let report = violations.isEmpty ? "" : try report(index, entry, violations)
            try #require(violations == [], "\(report)")
        }
    }

    /// Lets some device, now and then, be one that was away for longer than the log is kept.
    mutating func takeSnapshotSometimes() throws {
        if generator.once(in: 5) { try takeSnapshot(generator.below(devices.count)) }
    }

    /// Lets a device be what the server has now, as one is that was away for longer than the log is kept.
    mutating func takeSnapshot(_ index: Int) throws {
        let state = try #require(states.last)
        let living = state.objects.filter { state.existence(of: $0).isAlive }
        let objects = living.map { object in
            SnapshotObject(object, changed: changed[object] ?? 0, actions: state.snapshot(of: object).map(\.action))
        }
        let (sent, head) = (devices[index].sent, entries.count)
        try devices[index].program.realm.core
            .writeSynced { integration throws(Realm.Error) in
                let snapshot = SnapshotTables(integration.objects)
                try snapshot.append(SnapshotPage(head: head, objects: objects, next: nil))
                let dropped = try integration.dropPending(through: sent)
                try integration.begin(with: snapshot, at: head, dropped: dropped)
                try snapshot.removePages()
            }
        devices[index].position = head
        let violations = try violations(index)
        try #require(violations == [], "a snapshot at \(head) on the device \(index + 1), sent \(sent)")
    }

    /// What an entry and the pending changes of a device say about the objects that are otherwise.
    private func report(_ index: Int, _ entry: Entry, _ violations: [String]) throws -> String {
        let store = devices[index].program.realm.core.store
        let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
        func concerned(_ operations: [ChangeOperation]) -> String {
            operations.filter { operation in violations.contains { $0.hasPrefix("\(operation.object) ") } }
                .map { "  \($0)" }.joined(separator: "\n")
        }
        return """
            device \(index + 1), entry \(entry.number) of change \(entry.change.number) of file \(entry.change.file)
            literals\n\(concerned(entry.literals))\ncorrections\n\(concerned(entry.corrections))
            \(pending.map { "pending \($0.number)\n\(concerned($0.operations))" }.joined(separator: "\n"))
            """
    }

    /// Lets everything reach everybody.
    mutating func settle() throws {
        for index in devices.indices { try upload(index, atMost: .max) }
        for index in devices.indices { try download(index, atMost: .max) }
    }

    /// What is otherwise on a device than on the server at the device's position, of what nothing pending touches.
    func violations(_ index: Int) throws -> [String] {
        let device = devices[index]
        let store = device.program.realm.core.store
        let pending = try store.use { () throws(Realm.Error) in try PendingChanges(SyncedObjects(store)).decoded() }
        let mine = try RealmContents(device.program.realm).condensed
        let theirs = RealmContents(states[device.position]).condensed
        let forgotten = try RealmContents.forgottenLinks(device.program.realm, without: pending)
        return try forgotten
            + mine.differences(
                from: theirs,
                without: pending,
                orders: RealmContents.confirmedLists(device.program.realm)
            )
    }
}

extension RealmContents {
    /// A line for each cell and list that differs from what the server has and that no pending change touches.
    func differences(
        from theirs: RealmContents,
        without pending: [Change],
        orders: [CellAddress: [ElementID]]
    ) -> [String] {
        let operations = pending.flatMap(\.operations)
        let covered = Set(operations.filter { $0.path == nil }.map(\.object))
        let touched = Dictionary(grouping: operations.filter { $0.path != nil }, by: \.object)
        func isPending(_ object: ObjectAddress, _ path: CellPath, isList: Bool = false) -> Bool {
            (touched[object] ?? [])
                .contains { operation in
                    if case .listMove = operation.action { return false }
                    return operation.path.map { !isList && path == $0 || path.isBelow($0) } ?? false
                }
        }
        var lines: [String] = []
        for object in Set(objects.keys).union(theirs.objects.keys).subtracting(covered).sorted() {
            guard let mine = objects[object], let other = theirs.objects[object] else {
                lines.append("\(object) is only in one")
                continue
            }
            for path in Set(mine.cells.keys).union(other.cells.keys).sorted()
            where mine.cells[path] != other.cells[path] {
                // A link to what is about to go is cleared here already.
                if isPending(object, path) || other.cells[path]?.target.map(covered.contains) == true { continue }
                lines.append(
                    "\(object) \(path): \(mine.cells[path].map { "\($0)" } ?? "-") / \(other.cells[path].map { "\($0)" } ?? "-")"
                )
            }
            for path in Set(mine.lists.keys).union(other.lists.keys).sorted()
            where !isPending(object, path, isList: true) {
                let order = orders[CellAddress(object, path)] ?? mine.lists[path] ?? []
                if order != other.lists[path] ?? [] {
                    lines.append("\(object) list \(path): \(order) / \(other.lists[path] ?? [])")
                }
            }
        }
        return lines
    }
}
