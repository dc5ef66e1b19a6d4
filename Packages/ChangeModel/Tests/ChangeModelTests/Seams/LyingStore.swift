import ChangeModel
import ChangeModelTesting
import EventModel

/// A store that breaks one promise, for the kit to find.
final class LyingStore: SyncedStore {
    enum Lie: String, CaseIterable {
        case takesAnyBinding = "A binding is kept, and another one refused."
        case ignoresLimit = "Pending changes come in order, within the bytes, but one at least."
        case correctsSent = "A change that was sent keeps its bytes, and others get the server's time."
        case forgetsChain = "Acknowledged changes stay pending until their entries."
        case integratesSome = "Entries are integrated in order, all or none."
        case takesUnacknowledged = "An own entry that was not acknowledged is refused."
        case hidesRejections = "A refused write is undone and told."
        case keepsNothingPending = "A pending write stays over an older one."
        case forgetsCursor = "A snapshot goes on from its cursor and keeps what is pending."
        case keepsTakenAway = "A snapshot takes away what the realm has no more."
        case keepsSnapshotted = "A change that was acknowledged before a snapshot is in it."
        case writesToNewObject = "A snapshot leaves an object that was made anew as it is."
        case forgetsChanged = "An object of a snapshot is passed over by older entries."
        case tellsNothing = "Commits are told, several at once."
    }

    private let store: InMemorySyncedStore
    private let lie: Lie

    init(_ store: InMemorySyncedStore, _ lie: Lie) {
        self.store = store
        self.lie = lie
    }

    func syncState() throws -> SyncState {
        var state = store.syncState()
        if lie == .forgetsCursor { state.bootstrap?.cursor = nil }
        if lie == .forgetsChain { state.chain = .sample }
        if lie == .keepsSnapshotted, state.acknowledged > 0, state.bootstrap != nil { state.pendingChanges += 1 }
        return state
    }

    func bind(_ binding: FileBinding) throws {
        if lie == .takesAnyBinding, store.syncState().binding != nil { return }
        try store.bind(binding)
    }

    func pendingChanges(after number: Int, limit bytes: Int) throws -> [PendingChange] {
        store.pendingChanges(after: number, limit: lie == .ignoresLimit ? .max : bytes)
    }

    func correctClocks(_ correction: StampCorrection) throws { store.correctClocks(correction) }

    func noteSent(through number: Int) throws {
        if lie != .correctsSent { try store.noteSent(through: number) }
    }

    func acknowledge(through number: Int, chain: Digest) throws {
        try store.acknowledge(through: number, chain: chain)
    }

    func integrate(_ entries: [Entry]) throws -> Integrated {
        if lie == .integratesSome {
            for entry in entries.dropLast() { _ = try store.integrate([entry]) }
            return try store.integrate(Array(entries.suffix(1)))
        }
        if lie == .takesUnacknowledged, let last = entries.map(\.change).last(where: { $0.file == 1 }) {
            try store.acknowledge(through: last.number, chain: .sample)
        }
        let integrated = try store.integrate(entries)
        return lie == .hidesRejections ? Integrated(position: integrated.position, rejected: []) : integrated
    }

    func beginBootstrap(history: HistoryID, head: Int) throws { store.beginBootstrap(history: history, head: head) }

    func integrate(_ page: SnapshotPage) throws {
        guard lie == .forgetsChanged else { return try store.integrate(page) }
        let objects = page.objects.map { SnapshotObject($0.object, changed: 0, actions: $0.actions) }
        try store.integrate(SnapshotPage(head: page.head, objects: objects, next: page.next))
    }

    func endBootstrap() throws {
        let former = Set(store.contents.objects.keys)
        try store.endBootstrap()
        let never = ClockReading(
            wall: EventInstant(microseconds: 0),
            monotonicNanoseconds: 0,
            boot: Boot(high: 0, low: 1)
        )
        if lie == .keepsTakenAway {
            for object in former.subtracting(store.contents.objects.keys) {
                store.commit([object.create(["age": 2])], reading: never)
            }
        }
        guard lie == .writesToNewObject else { return }
        for object in store.contents.objects.keys {
            store.commit([object.set("name", "former")], reading: never)
        }
    }

    func commits() -> AsyncStream<Void> {
        guard lie == .tellsNothing else { return store.commits() }
        return AsyncStream { $0.finish() }
    }
}
