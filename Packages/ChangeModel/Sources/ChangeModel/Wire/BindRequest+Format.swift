import EventModel

extension BindRequest {
    private static let magic = Array("DAYBIND1".utf8)
    private static let known: UInt8 = 1
    private static let described: UInt8 = 2
    private static let curved: UInt8 = 4

    /// The bytes of the request.
    ///
    /// ```
    /// "DAYBIND1"  flags  [binding]  position  acknowledged  made  schema hash (32)  [length  schema]  device key
    /// binding = history (16)  file  length  salt
    /// flags   = 1 was bound before | 2 has a schema | 4 has a device key of P-256
    /// ```
    ///
    /// The device key has 32 bytes and is Ed25519, or is a compressed point of P-256, 33 bytes, where the flags say so. A server that
    /// knows Ed25519 alone refuses that flag.
    ///
    /// - Precondition: The device key is as long as one of these.
    /// - Complexity: O(*n*) in the bytes of the schema.
    public var encoded: [UInt8] {
        let isCurved = deviceKey.count == Self.curveKeyBytes
        precondition(isCurved || deviceKey.count == Self.keyBytes, "The public key of a device has 32 bytes, or 33.")
        var writer = ChangeWriter()
        writer.raw(Self.magic)
        writer.byte(
            (binding == nil ? 0 : Self.known) | (schema == nil ? 0 : Self.described) | (isCurved ? Self.curved : 0)
        )
        if let binding { writer.binding(binding) }
        writer.count(position)
        writer.count(acknowledged)
        writer.count(made)
        writer.raw(schemaHash.bytes)
        if let schema {
            writer.count(schema.count)
            writer.raw(schema)
        }
        writer.raw(deviceKey)
        return writer.bytes
    }

    /// How many bytes the public key of a device has that signs with Ed25519.
    public static let keyBytes = 32
    /// How many bytes the public key of a device has that signs with P-256.
    public static let curveKeyBytes = 33

    /// Reads a request.
    ///
    /// The schema is kept as bytes, of which nothing is checked but their number.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no request, and
    ///   ``ChangeModelError/tooLarge(bytes:limit:)`` when they are more than ``ChangeLimits`` allow.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8]) throws(ChangeModelError) {
        guard bytes.count <= ChangeLimits.bindBytes else {
            throw .tooLarge(bytes: bytes.count, limit: ChangeLimits.bindBytes)
        }
        var reader = ChangeReader(bytes[...])
        try reader.expect(Self.magic, "A request to bind of this version begins with DAYBIND1.")
        let flags = try reader.byte()
        guard flags <= Self.known | Self.described | Self.curved else {
            throw reader.malformed("A request has no such flag.")
        }
        let binding = flags & Self.known == 0 ? nil : try reader.binding()
        let position = try reader.integer()
        let acknowledged = try reader.integer()
        let made = try reader.integer()
        let schemaHash = try reader.digest()
        let schema = flags & Self.described == 0 ? nil : Array(try reader.raw(try reader.count()))
        let isCurved = flags & Self.curved != 0
        let deviceKey = Array(try reader.raw(isCurved ? Self.curveKeyBytes : Self.keyBytes))
        guard !isCurved || deviceKey[0] == 2 || deviceKey[0] == 3 else {
            throw reader.malformed("A compressed point begins with 2 or 3.")
        }
        try reader.end()
        self.init(
            binding: binding,
            position: position,
            acknowledged: acknowledged,
            made: made,
            schemaHash: schemaHash,
            schema: schema,
            deviceKey: deviceKey
        )
    }
}
