/// Where the next page of a snapshot begins; only the server that made it reads it.
public struct SnapshotCursor: Sendable, Hashable {
    /// How many bytes a cursor may have.
    public static let maximumBytes = 4096

    /// The bytes.
    public let bytes: [UInt8]

    /// Creates a cursor.
    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// One object of a snapshot, as it was when its page was made.
public struct SnapshotObject: Sendable, Hashable {
    /// The object.
    public let object: ObjectAddress
    /// The number of the last entry that the object has; entries up to it say nothing new of it.
    public let changed: Int
    /// What makes the object from nothing, the creation first.
    public let actions: [ChangeOperation.Action]

    /// Creates an object.
    public init(_ object: ObjectAddress, changed: Int, actions: [ChangeOperation.Action]) {
        self.object = object
        self.changed = changed
        self.actions = actions
    }

    /// The same as operations.
    public var operations: [ChangeOperation] { actions.map { ChangeOperation(object, $0) } }
}

/// Some of the objects of a realm, for a device that begins.
///
/// Objects come in the order of class and key. No transaction is held open from page to page: each page has its objects
/// as they are when it is made. So a device takes the log from the head of the *first* page on, and passes over what an
/// entry says of an object that it has in a newer state.
public struct SnapshotPage: Sendable, Hashable {
    /// The realm's head when the page was made.
    public let head: Int
    /// The objects.
    public let objects: [SnapshotObject]
    /// Where the next page begins; nil for the last page.
    public let next: SnapshotCursor?
    /// The bytes that it was read from, so that whoever keeps them does not make them again; nil for one that was made here.
    var source: [UInt8]?

    /// Creates a page.
    public init(head: Int, objects: [SnapshotObject], next: SnapshotCursor?) {
        self.head = head
        self.objects = objects
        self.next = next
    }

    /// Whether they say the same, wherever they come from.
    public static func == (left: SnapshotPage, right: SnapshotPage) -> Bool {
        left.head == right.head && left.objects == right.objects && left.next == right.next
    }

    /// Hashes what they say.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(head)
        hasher.combine(objects)
        hasher.combine(next)
    }
}
