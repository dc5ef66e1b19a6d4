#if canImport(Combine)
public import Dispatch
public import ObjectStore

/// What publishers observe: objects, projections, collections, maps and sections.
///
/// The types of the library conform; the requirement is not meant for programs. A receiver stands for a closure, whose type could not be
/// that of a class with subclasses.
public protocol RealmSubscribable: ThreadConfined {
    /// Observes, and hands on what happens.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties that count; nil for all.
    ///   - queue: Where the handler is called; nil for the executor of the value.
    ///   - receiver: Is told what happens.
    /// - Returns: What keeps the observation alive.
    func _observe<Receiver: _PublicationReceiver>(
        _ keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ receiver: Receiver
    ) -> NotificationToken where Receiver.Value == Self
}

/// Who is told what an observation sees; not meant for programs.
public protocol _PublicationReceiver<Value> {
    /// What is observed.
    associatedtype Value
    /// Is told what happened.
    func receive(_ publication: _Publication<Value>)
}

/// What an observation hands to a publisher; not meant for programs.
public enum _Publication<Value> {
    /// The value as it is when it is first observed.
    case initial(Value)
    /// The value behind a change.
    case changed(Value)
    /// What was observed is gone.
    case finished
    /// It cannot be observed.
    case failed(any Error)
}

extension RealmSubscribable {
    /// Observes with a closure.
    func observe(
        _ keyPaths: [String]?,
        on queue: DispatchQueue?,
        _ handler: @escaping (_Publication<Self>) -> Void
    ) -> NotificationToken {
        _observe(keyPaths, on: queue, ClosureReceiver(handler: handler))
    }
}

/// A receiver that is a closure.
private struct ClosureReceiver<Value>: _PublicationReceiver {
    let handler: (_Publication<Value>) -> Void

    func receive(_ publication: _Publication<Value>) { handler(publication) }
}
#endif
