public import EventModel

/// What a device says when it binds a realm file to a realm, as a new one or as one that was bound before.
public struct FileClaim: Sendable, Hashable {
    /// What a file says of itself that was bound before.
    public struct Known: Sendable, Hashable {
        /// The number that the server gave it.
        public let file: UInt32
        /// The secret that came with the number.
        public let salt: [UInt8]
        /// The history that it was bound to.
        public let history: [UInt8]
        /// The number of the last change that it made; 0 for none.
        public let lastChange: Int
        /// The number of the last change that the server said to have; 0 for none.
        public let acknowledged: Int
        /// The number of the last entry that it has; 0 for none.
        public let position: Int

        /// Creates a claim.
        public init(
            file: UInt32,
            salt: [UInt8],
            history: [UInt8],
            lastChange: Int,
            acknowledged: Int = 0,
            position: Int = 0
        ) {
            self.file = file
            self.salt = salt
            self.history = history
            self.lastChange = lastChange
            self.acknowledged = acknowledged
            self.position = position
        }
    }

    /// The user who asks.
    public let user: ExactText
    /// The public half of the key that signs the batches of the file: 32 bytes of Ed25519, or 33 of P-256.
    public let deviceKey: [UInt8]
    /// What a file says that was bound before; nil for a new one.
    public let claim: Known?

    /// Creates a binding.
    public init(user: ExactText, deviceKey: [UInt8], claim: Known? = nil) {
        self.user = user
        self.deviceKey = deviceKey
        self.claim = claim
    }
}

/// What the server answers to a binding.
public struct BoundFile: Sendable, Hashable {
    /// How many bytes a salt has.
    public static let saltBytes = 32

    /// The number of the file in its realm, from 1.
    public let file: UInt32
    /// The secret of a new file, which the server keeps hashed and never tells again; nil for a known file.
    public let salt: [UInt8]?
    /// The number of the last change of the file that was taken; 0 for none.
    public let acknowledged: Int
    /// Where the realm is.
    public let realm: RealmStatus

    /// Creates an answer.
    public init(file: UInt32, salt: [UInt8]?, acknowledged: Int, realm: RealmStatus) {
        self.file = file
        self.salt = salt
        self.acknowledged = acknowledged
        self.realm = realm
    }
}
