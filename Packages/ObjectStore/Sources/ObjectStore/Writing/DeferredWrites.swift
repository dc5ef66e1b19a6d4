/// What waits while objects are added that lead to others.
///
/// The stack must not grow with the data. Of ten thousand objects that are linked one to the next, the first ones are written inside of
/// each other. What the last of these leads to waits until they are there.
struct DeferredWrites {
    /// How many objects are written inside of each other.
    ///
    /// A thread of Apple's systems has a stack of 512 KiB, of which one takes 30 KiB in a debug build, where dictionaries in lists lead to it.
    private static let maximumNesting = 6

    enum Write {
        /// Values of an object whose row is there.
        case values(ObjectWriter, ObjectCore, [(PersistedProperty, Any)])
        /// The elements of a collection whose object's row is there.
        case elements(ObjectWriter, any PersistedCollection, TakenValues)
    }

    private var nesting = 0
    private var waiting: [Write] = []

    /// Whether what an object leads to waits.
    var isDeep: Bool { nesting > Self.maximumNesting }

    /// Whether the outermost object is there, and something waits.
    @inline(__always)
    var isReady: Bool { nesting == 1 && !waiting.isEmpty }

    @inline(__always)
    mutating func enter() { nesting += 1 }

    /// Leaves an object.
    @inline(__always)
    mutating func leave() {
        nesting -= 1
        // Of a transaction that is doomed nothing is written any more.
        if nesting == 0 && !waiting.isEmpty { waiting = [] }
    }

    mutating func append(_ write: Write) { waiting.append(write) }

    /// Takes what waits; it may lead to more.
    mutating func take() -> [Write] {
        defer { waiting = [] }
        return waiting
    }
}

extension DeferredWrites.Write {
    func run() throws(Realm.Error) {
        switch self {
        case .values(let writer, let core, let values): try writer.update(core, values)
        // What was written meanwhile may have reached the object, and filled it.
        case .elements(let writer, let collection, let values):
            try writer.fill(collection, with: values, isUntouched: false)
        }
    }
}
