extension List: RealmCollection {
    /// The list itself, whose elements are read when they are needed.
    public typealias Elements = List

    /// The elements as a result; of an unmanaged list, as they are now.
    public var _results: Results<Element> { managed.map(Results.init(of:)) ?? Results(memory: elements) }
}

extension MutableSet: RealmCollection {
    /// The set itself, whose elements are read when they are needed.
    public typealias Elements = MutableSet

    /// The elements as a result; of an unmanaged set, as they are now.
    public var _results: Results<Element> { managed.map(Results.init(of:)) ?? Results(memory: elements) }
}

extension Map: _QuerySource {
    /// The values in the order of their keys as a result; of an unmanaged map, as they are now.
    public var _results: Results<Value> { managed.map(Results.init(of:)) ?? Results(memory: entries.map(\.value)) }
}
