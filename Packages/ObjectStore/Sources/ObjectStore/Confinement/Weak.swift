/// A weak reference that a dictionary can hold.
struct Weak<Target: AnyObject>: @unchecked Sendable {
    // SAFETY: weak loads are atomic; the one user of each target compares the thread before it uses the target.
    private(set) weak var object: Target?

    init(_ object: Target) { self.object = object }
}
