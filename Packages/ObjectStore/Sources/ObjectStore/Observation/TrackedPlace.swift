/// A property of an object that somebody tracks.
struct TrackedPlace: Hashable, Sendable {
    let className: String
    let key: Int64
    /// The slot of the property, as ``SlotSet`` has it.
    let slot: Int

    init(className: String, key: Int64, slot: Int) {
        self.className = className
        self.key = key
        self.slot = SlotSet.place(of: slot)
    }
}
