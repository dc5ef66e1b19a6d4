public import Foundation

/// What happened to one object since its handler was called last.
@frozen
public enum ObjectChange<T> {
    /// The instance of the queue or actor that the handler is for could not be opened; the handler is not called again.
    case error(NSError)
    /// Properties changed, or were set to the value that they had.
    case change(T, [PropertyChange])
    /// The object was deleted; the handler is not called again.
    case deleted
}

/// One property that changed.
@frozen
public struct PropertyChange {
    /// The name of the property.
    public let name: String
    /// The value that was handed over or read last; nil when this instance made the change, and for collections.
    public let oldValue: Any?
    /// The value now; nil for collections.
    public let newValue: Any?

    /// Creates the change of a property, such as for what passes changes on.
    public init(name: String, oldValue: Any?, newValue: Any?) {
        self.name = name
        self.oldValue = oldValue
        self.newValue = newValue
    }
}
