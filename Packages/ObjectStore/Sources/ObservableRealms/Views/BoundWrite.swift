#if canImport(SwiftUI)
import ObjectStore

/// Writes of views, each a transaction of its own.
enum BoundWrite {
    /// Changes a value in a transaction, or in the one that is open; an unmanaged one at once, one that is gone not at all.
    static func change<Value: ThreadConfined>(_ value: Value, _ body: (Value) -> Void) {
        guard let live = value.live, !live.isInvalidated else { return }
        guard let realm = live.realm, !realm.isInWriteTransaction else { return body(live) }
        do {
            try realm.write { body(live) }
        } catch {
            preconditionFailure("What a view changed cannot be stored, and a view has nobody to tell: \(error)")
        }
    }

    /// Writes a property, unless it has the value already.
    static func set<Root: ThreadConfined, Value>(
        _ keyPath: ReferenceWritableKeyPath<Root, Value>,
        of root: Root,
        to value: Value
    ) {
        guard let live = root.live, !live.isInvalidated else { return }
        if let old = live[keyPath: keyPath] as? any Equatable, isEqual(old, value) { return }
        change(live) { $0[keyPath: keyPath] = thawed(value) }
    }

    /// The value for a live object to keep: a frozen object cannot be linked to.
    static func thawed<Value>(_ value: Value) -> Value {
        guard let confined = value as? any ThreadConfined, confined.isFrozen else { return value }
        return confined.live as? Value ?? value
    }

    private static func isEqual<Value: Equatable>(_ old: Value, _ new: Any) -> Bool { new as? Value == old }
}
#endif
