#if canImport(ObjectiveC)
public import Foundation

/// What a session is beside itself, so that its properties are observed by their keys.
public typealias KeyObserved = NSObject
#else
/// What a session is beside itself: nothing, where there is no key-value observing.
public protocol KeyObserved: AnyObject {}
#endif
