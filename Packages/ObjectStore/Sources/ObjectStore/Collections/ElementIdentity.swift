/// What makes two values one element of a set: equality, and that NaN equals NaN.
public struct _ValueIdentity<Value: Hashable>: Hashable {
    private let value: Value

    init(_ value: Value) { self.value = value }

    private var isUnordered: Bool { value != value }

    /// Whether both are equal, or both are not even equal to themselves.
    public static func == (left: Self, right: Self) -> Bool {
        left.value == right.value || (left.isUnordered && right.isUnordered)
    }

    /// Feeds the value to the hasher; every NaN is one.
    public func hash(into hasher: inout Hasher) {
        if isUnordered { hasher.combine(0) } else { hasher.combine(value) }
    }
}

/// What makes two texts one element of a set or one key of a map: their bytes, as in the file.
public struct _TextIdentity: Hashable, Comparable {
    let text: String

    init(_ text: String) { self.text = text }

    /// Whether both have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Orders by bytes.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Feeds the text to the hasher; texts of the same bytes have the same hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// What makes two accessors one element of a set: their row, or their instance while unmanaged.
public struct _ObjectIdentity: Hashable {
    /// The instance, or the table of a managed object, which belongs to one realm.
    private let place: ObjectIdentifier
    /// The row of a managed object.
    private let key: Int64?

    init(_ object: ObjectBase) {
        place = object._core.map { ObjectIdentifier($0.table) } ?? ObjectIdentifier(object)
        key = object._core?.key
    }

    /// Whether the object was unmanaged, so that its identity changes when it is added to a realm.
    var isProvisional: Bool { key == nil }
}
