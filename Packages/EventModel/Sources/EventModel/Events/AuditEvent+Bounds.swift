extension AuditEvent {
    /// The most bytes that the activity, and the type, of an event may have: 1 KiB.
    ///
    /// They are shown in every list of events; what is longer belongs into the payload.
    public static let maximumNameBytes = 1024

    /// Returns a name that fits: the text itself, or its beginning with `…` behind it.
    ///
    /// - Complexity: O(*n*) in ``maximumNameBytes``, at most.
    public static func fitting(_ name: String) -> String {
        guard name.utf8.count > maximumNameBytes else { return name }
        let mark = "…"
        var fitting = ""
        for scalar in name.unicodeScalars {
            guard fitting.utf8.count + UTF8.width(scalar) + mark.utf8.count <= maximumNameBytes else { break }
            fitting.unicodeScalars.append(scalar)
        }
        return fitting + mark
    }
}

extension EventMetadata {
    /// The most bytes that all keys and values of an event may have together: 64 KiB.
    public static let maximumBytes = 65_536

    /// How many bytes all keys and values have.
    public var byteCount: Int { entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } }

    /// Checks that the metadata has at most ``maximumBytes``.
    ///
    /// - Throws: ``EventModelError/metadataTooLong(byteCount:)``.
    public func checkSize() throws(EventModelError) {
        let byteCount = byteCount
        guard byteCount <= Self.maximumBytes else { throw .metadataTooLong(byteCount: byteCount) }
    }
}

extension UTF8 {
    /// How many bytes a scalar has.
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0..<0x80: 1
        case 0x80..<0x800: 2
        case 0x800..<0x10000: 3
        default: 4
        }
    }
}
