public import OpenCombine

/// An object whose changes are published.
///
/// It is declared here, as conformances name the module that they are declared to.
public protocol ObservableObject: AnyObject {
    /// The type of the publisher.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    /// Speaks when the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}
