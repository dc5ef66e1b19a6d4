public import ChangeModel

/// One living object as a new device gets it.
public struct StoredObject: Sendable, Hashable {
    /// The object.
    public let address: ObjectAddress
    /// The number of the last entry that changed it; the device leaves out what entries up to it say of the object.
    public let changed: Int
    /// What makes the object, from nothing.
    public let literals: [ChangeOperation]

    /// Creates an object of a page.
    public init(address: ObjectAddress, changed: Int, literals: [ChangeOperation]) {
        self.address = address
        self.changed = changed
        self.literals = literals
    }
}

/// Objects of a realm in the order of class and key, as they are at one moment.
///
/// Pages of one bootstrap may be minutes apart: what changed between them is in the log.
public struct ObjectPage: Sendable, Hashable {
    /// The objects.
    public let objects: [StoredObject]
    /// The object after which the next page begins; nil when this is the last one.
    public let next: ObjectAddress?
    /// The number of the newest entry of the realm when they were read: where the log begins, on the first page.
    public let head: Int

    /// Creates a page.
    public init(objects: [StoredObject], next: ObjectAddress?, head: Int) {
        self.objects = objects
        self.next = next
        self.head = head
    }
}
