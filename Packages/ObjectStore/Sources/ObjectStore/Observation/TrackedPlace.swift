/// A property of an object that somebody tracks.
struct TrackedPlace: Hashable, Sendable {
    /// The class, by its schema, of which a process has one for each class that can be tracked.
    let schema: ObjectIdentifier
    let key: Int64
    /// The slot of the property, as ``SlotSet`` has it.
    let slot: Int

    init(_ schema: ObjectIdentifier, _ key: Int64, slot: Int) {
        self.schema = schema
        self.key = key
        self.slot = SlotSet.place(of: slot)
    }
}
