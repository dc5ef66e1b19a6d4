import EventModel

/// The links that a program followed within one scope, found by the object that they start from.
struct FollowedLinks {
    /// The last time that a property was followed.
    struct Step {
        let slot: Int
        let position: Int
        let targets: [ObjectSnapshot]
    }

    private var steps: [ObjectIdentity: [Step]] = [:]

    /// Creates links of which none was followed.
    init() {}

    /// Collects the links that were followed among some captures; also those whose target was folded or dropped.
    ///
    /// Captures that cannot be read are left out; whoever makes events of them says so.
    init(in captures: ScopeCaptures) {
        _ = captures.visit(onlyFollows: true) { capture, position in
            if case .follow(let follow) = capture.content { insert(follow, at: position) }
        }
    }

    /// Whether no link was followed.
    var isEmpty: Bool { steps.isEmpty }

    /// Notes a step.
    ///
    /// The last step of a property says enough: the targets are the same at every step of one version, and it lies
    /// behind a read of the parent if any of them does.
    mutating func insert(_ follow: CapturedFollow, at position: Int) {
        let step = Step(
            slot: follow.origin.slot,
            position: position,
            targets: follow.targets.isEmpty ? [follow.target] : follow.targets
        )
        var known = steps[follow.origin.object, default: []]
        if let index = known.firstIndex(where: { $0.slot == step.slot }) {
            known[index] = step
        } else {
            known.append(step)
        }
        steps[follow.origin.object] = known
    }

    /// Returns the properties of an object that were followed after a position, each once.
    func steps(from object: ObjectIdentity, after position: Int) -> [Step] {
        steps[object]?.filter { $0.position > position } ?? []
    }
}
