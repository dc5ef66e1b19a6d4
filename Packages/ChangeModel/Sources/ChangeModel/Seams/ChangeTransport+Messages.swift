public import EventModel

/// What a file says of itself when it is presented to the server.
public struct BindRequest: Sendable, Hashable {
    /// What the server knows the file by; nil at the first time.
    public var binding: FileBinding?
    /// The last entry that the file has.
    public var position: Int
    /// The last change that it knows the server to have.
    public var acknowledged: Int
    /// The last change that it made: less than the server has of a file that was copied, or put back, before it made more.
    public var made: Int
    /// The hash of its schema.
    public var schemaHash: Digest
    /// The bytes of its schema, for a server that does not know the hash; nil where it should.
    public var schema: [UInt8]?
    /// The public key with which the device signs: 32 bytes of Ed25519, or 33 of P-256.
    public var deviceKey: [UInt8]

    /// Creates a request; by default of a new file.
    public init(
        binding: FileBinding? = nil,
        position: Int = 0,
        acknowledged: Int = 0,
        made: Int = 0,
        schemaHash: Digest,
        schema: [UInt8]? = nil,
        deviceKey: [UInt8]
    ) {
        self.binding = binding
        self.position = position
        self.acknowledged = acknowledged
        self.made = made
        self.schemaHash = schemaHash
        self.schema = schema
        self.deviceKey = deviceKey
    }
}

extension BindRequest {
    /// Presents a file as it is.
    ///
    /// - Parameters:
    ///   - state: How far it has come.
    ///   - deviceKey: The public key with which the device signs.
    public init(of state: SyncState, deviceKey: [UInt8]) {
        self.init(
            binding: state.binding,
            position: state.position,
            acknowledged: state.acknowledged,
            made: state.nextNumber - 1,
            schemaHash: state.schemaHash,
            deviceKey: deviceKey
        )
    }
}

/// What the server says of a file and its realm.
public struct BindAnswer: Sendable, Hashable {
    /// What the server knows the file by.
    public var binding: FileBinding
    /// The number of the newest entry.
    public var head: Int
    /// The number up to which entries are gone; 0 for none.
    public var floor: Int
    /// The number of the last change of the file that the server has for good.
    public var acknowledged: Int
    /// The server's time, in milliseconds since 1970.
    public var serverMilliseconds: Int64
    /// Whether the user may write anything.
    public var mayWrite: Bool
    /// Whether the server does not know the schema of the hash, and wants a request with its bytes.
    public var needsSchema: Bool

    /// Creates an answer.
    public init(
        binding: FileBinding,
        head: Int,
        floor: Int = 0,
        acknowledged: Int,
        serverMilliseconds: Int64,
        mayWrite: Bool = true,
        needsSchema: Bool = false
    ) {
        self.binding = binding
        self.head = head
        self.floor = floor
        self.acknowledged = acknowledged
        self.serverMilliseconds = serverMilliseconds
        self.mayWrite = mayWrite
        self.needsSchema = needsSchema
    }
}

/// What the server says to changes.
public struct SendAnswer: Sendable, Hashable {
    /// The number of the last change of the file that the server has for good.
    public var acknowledged: Int
    /// The number of the newest entry.
    public var head: Int
    /// The times under which changes were taken, by their numbers, where those are others than they came with.
    public var clocks: [Int: HybridClock]
    /// The entries behind the file's position, where they fit; nil where they are to be asked for.
    public var entries: EntriesAnswer?

    /// Creates an answer.
    public init(acknowledged: Int, head: Int, clocks: [Int: HybridClock] = [:], entries: EntriesAnswer? = nil) {
        self.acknowledged = acknowledged
        self.head = head
        self.clocks = clocks
        self.entries = entries
    }
}

/// A stretch of the log.
public struct EntriesAnswer: Sendable, Hashable {
    /// The number of the newest entry.
    public var head: Int
    /// The bytes of the entries as the server keeps them, in order; none after a wait in which nothing came.
    public var encoded: [[UInt8]]

    /// Creates an answer.
    public init(head: Int, encoded: [[UInt8]] = []) {
        self.head = head
        self.encoded = encoded
    }

    /// The entries.
    ///
    /// - Throws: The errors of ``Entry/init(bytes:)``.
    /// - Complexity: O(*n*) in the bytes.
    public var entries: [Entry] {
        get throws(ChangeModelError) {
            var entries: [Entry] = []
            for bytes in encoded { entries.append(try Entry(bytes: bytes)) }
            return entries
        }
    }
}
