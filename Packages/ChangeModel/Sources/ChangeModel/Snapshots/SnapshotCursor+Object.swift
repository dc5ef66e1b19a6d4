import EventModel

extension SnapshotCursor {
    /// Makes the cursor of a page that begins behind an object, for servers whose order is that of class and key.
    public init(after object: ObjectAddress) {
        var writer = ChangeWriter()
        writer.text(object.className)
        writer.key(object.key)
        self.init(bytes: writer.bytes)
    }

    /// The object behind which the page begins.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` for another cursor than ``init(after:)`` makes, and
    ///   ``ChangeModelError/tooLarge(bytes:limit:)`` for a name or key that is too long.
    public var object: ObjectAddress {
        get throws(ChangeModelError) {
            var reader = ChangeReader(bytes[...])
            let className = try reader.text(limit: ChangeLimits.nameBytes)
            let key = try reader.key()
            try reader.end()
            return ObjectAddress(className, key)
        }
    }
}
