public import ChangeModel
import Synchronization

extension InMemoryRealmServer {
    /// Returns a page of the objects behind a cursor, as many as fit, but one at least.
    ///
    /// A cursor of this server is a page of one object without actions but its creation: the last one of the page before.
    public func page(
        after cursor: SnapshotCursor?,
        history: HistoryID,
        limit bytes: Int
    ) throws(ChangeModelError) -> SnapshotPage {
        let last = try cursor.map { cursor throws(ChangeModelError) in
            try SnapshotPage(bytes: cursor.bytes).objects.first?.object
        }
        return try state.withLock { state throws(ChangeModelError) in
            guard history == state.history else { throw .failed(.historyChanged) }
            var objects: [SnapshotObject] = []
            var left = bytes
            for address in state.realm.objects where state.realm.existence(of: address).isAlive {
                if let last = last ?? nil, address <= last { continue }
                let object = SnapshotObject(
                    address,
                    changed: state.changed[address] ?? 0,
                    actions: state.realm.snapshot(of: address).map(\.action)
                )
                let size = SnapshotPage(head: 0, objects: [object], next: nil).encoded.count
                guard size <= left || objects.isEmpty else {
                    return SnapshotPage(head: state.realm.head, objects: objects, next: Self.cursor(behind: objects))
                }
                left -= size
                objects.append(object)
            }
            return SnapshotPage(head: state.realm.head, objects: objects, next: nil)
        }
    }

    private static func cursor(behind objects: [SnapshotObject]) -> SnapshotCursor? {
        objects.last.map { last in
            let object = SnapshotObject(last.object, changed: 0, actions: [.create(given: [:], defaults: [:])])
            return SnapshotCursor(bytes: SnapshotPage(head: 0, objects: [object], next: nil).encoded)
        }
    }
}
