public import EventModel

/// Names one object of a synced realm: its class and its primary key.
///
/// It names an object also where none is there; a link may be older than its target.
public struct ObjectAddress: Sendable, Hashable {
    /// The stored name of the class.
    public let className: ExactText
    /// The value of the primary key.
    public let key: PrimaryKey

    /// Names an object.
    public init(_ className: ExactText, _ key: PrimaryKey) {
        self.className = className
        self.key = key
    }
}

extension ObjectAddress: Comparable {
    /// Orders by class and then by key.
    public static func < (left: ObjectAddress, right: ObjectAddress) -> Bool {
        left.className == right.className ? left.key < right.key : left.className < right.className
    }
}
