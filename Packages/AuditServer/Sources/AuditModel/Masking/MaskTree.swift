/// Which members of an object are masked, by their names.
package struct MaskTree: Sendable, Hashable {
    /// Whether the value itself is masked.
    private(set) var isMasked = false
    /// Whether every member is, but the primary key.
    private(set) var hidesMembers = false
    // TEXT: what Unicode takes for a masked name is masked, too: hiding more is the safe side.
    private(set) var members: [String: MaskTree] = [:]

    /// Adds a path.
    package mutating func add(_ path: ArraySlice<String>) {
        guard let name = path.first else {
            isMasked = true
            return
        }
        if name == MaskedField.everything {
            hidesMembers = true
        } else {
            members[name, default: MaskTree()].add(path.dropFirst())
        }
    }

    /// Returns whether the value of a member is masked.
    package func hides(_ name: String) -> Bool {
        members[name]?.isMasked ?? false || hidesMembers && !MaskedField.keys.contains(name)
    }
}
