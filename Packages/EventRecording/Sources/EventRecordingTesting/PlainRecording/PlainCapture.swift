public import EventModel

/// What a program does in the words of ``PlainRecording``: objects are names, a version is a number.
public struct PlainCapture: Sendable {
    /// Names one object at one version.
    public struct Name: Sendable, Hashable {
        /// The class.
        public let className: String
        /// The key.
        public let key: Int
        /// The version that the program saw.
        public let version: Int

        /// Creates a name.
        public init(_ className: String, _ key: Int, version: Int) {
            self.className = className
            self.key = key
            self.version = version
        }
    }

    /// What was done.
    public enum Kind: Sendable {
        /// One object was read.
        case read(Name)
        /// A query was evaluated; it found these keys in this order.
        case query(className: String, keys: [Int], version: Int)
        /// A property of an object was followed to one of its targets.
        case follow(from: Name, property: String, to: Name, all: [Name])
        /// A transaction was committed whose payload is this; it made the version.
        case write(String, version: Int)
        /// A transaction was committed in which nothing was done.
        case emptyWrite
    }

    let kind: Kind
    let time: EventInstant

    /// Creates a capture at an instant.
    public init(_ kind: Kind, at time: EventInstant) {
        self.kind = kind
        self.time = time
    }
}
