public import EventModel

/// Where an object stands among those that were posted to a realm: the number of its entry, and of its operation in that, from 0.
public struct PostedPlace: Sendable, Hashable, Comparable {
    /// The number of the entry.
    public let entry: Int
    /// The index of the operation in its change.
    public let operation: Int

    /// Names a place.
    public init(entry: Int, operation: Int) {
        self.entry = entry
        self.operation = operation
    }

    /// Compares the entries, and the operations of one entry.
    public static func < (left: Self, right: Self) -> Bool {
        (left.entry, left.operation) < (right.entry, right.operation)
    }
}

/// An object of an asymmetric class, as a device posted it: it is in no realm, and no device reads it.
public struct PostedObject: Sendable, Hashable {
    /// Where it stands in its realm.
    public let place: PostedPlace
    /// The number of the file that it came from.
    public let file: UInt32
    /// The user of that file.
    public let user: ExactText
    /// When the server took it.
    public let received: EventInstant
    /// What it holds, as canonical Extended JSON: the text that the device has signed.
    public let document: ExactText

    /// Creates an object.
    public init(place: PostedPlace, file: UInt32, user: ExactText, received: EventInstant, document: ExactText) {
        self.place = place
        self.file = file
        self.user = user
        self.received = received
        self.document = document
    }
}
