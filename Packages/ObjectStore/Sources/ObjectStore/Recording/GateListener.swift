import EventModel

/// Takes back the right of a thread to read without asking, when somebody begins to listen on another one.
final class GateListener: ObservationGateWatcher, @unchecked Sendable {
    // SAFETY: a weak reference that is set once; nothing but the atomic marks of the connection is touched.
    private weak var store: StoreConnection?

    init(_ store: StoreConnection) { self.store = store }

    func gateDidOpen() { store?.setReader(.none) }
}
