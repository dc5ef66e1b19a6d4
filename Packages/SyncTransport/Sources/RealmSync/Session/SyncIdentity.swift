public import ChangeModel
public import EventModel

/// What a device says of itself, whatever the realm: its classes, and the key with which it signs.
public struct SyncIdentity: Sendable {
    /// Signs the head of a chain, with 64 bytes, by the algorithm that the public key names.
    public typealias Signing = @Sendable (Digest) throws -> [UInt8]

    /// The bytes of the schema, for a server that does not know its hash.
    public let schema: [UInt8]
    /// The public key of the device: 32 bytes of Ed25519, or 33 of P-256.
    public let publicKey: [UInt8]
    let sign: Signing

    /// Describes a device.
    ///
    /// - Parameters:
    ///   - schema: The classes that the program declares.
    ///   - publicKey: The public key of the device, 32 bytes or 33.
    ///   - sign: Signs with the other half of it.
    public init(schema: SyncSchema, publicKey: [UInt8], sign: @escaping Signing) {
        self.schema = schema.encoded
        self.publicKey = publicKey
        self.sign = sign
    }
}
