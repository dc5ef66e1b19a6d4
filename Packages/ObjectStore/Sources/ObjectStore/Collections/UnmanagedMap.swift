/// The entries of a map in memory; keys are the same when their bytes are.
struct UnmanagedMap<Value> {
    private var values: [_TextIdentity: Value] = [:]
    /// The keys in order; nil after a change of the keys.
    private var sorted: [String]? = []

    var count: Int { values.count }

    /// The keys in the order of their bytes.
    mutating func keys() -> [String] {
        if let sorted { return sorted }
        let keys = values.keys.sorted().map(\.text)
        sorted = keys
        return keys
    }

    subscript(key: String) -> Value? {
        get { values[_TextIdentity(key)] }
        set {
            let count = values.count
            // An optional-valued map keeps nil as a value: only the outer nil removes.
            if let newValue {
                values.updateValue(newValue, forKey: _TextIdentity(key))
            } else {
                values.removeValue(forKey: _TextIdentity(key))
            }
            if values.count != count { sorted = nil }
        }
    }
}
