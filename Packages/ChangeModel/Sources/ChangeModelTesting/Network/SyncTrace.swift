import ChangeModel

/// What happened in a ``SyncWorld``, to be done again, with less and less in it.
public struct SyncTrace: Sendable {
    let seed: UInt64
    let devices: Int
    let rules: OverlayRules
    var steps: [SyncRun.Step] = []

    /// What is wrong when the steps are done and everything arrives after them, as a sentence; nil if nothing is.
    public var broken: String? {
        var run = SyncRun(seed: seed, devices: devices, rules: rules)
        for step in steps {
            if let wrong = run.perform(step) { return wrong }
        }
        return run.finish(serverMilliseconds: steps.compactMap(\.serverMilliseconds).max() ?? 0)
    }

    /// How many steps there are.
    public var count: Int { steps.count }

    /// The trace without every step and operation that can be left out while something is still broken.
    ///
    /// - Complexity: O(*n*²) runs in the steps and operations.
    public var shrunk: SyncTrace {
        var trace = self
        while let smaller = trace.smaller.first(where: { $0.broken != nil }) { trace = smaller }
        return trace
    }

    /// Every trace with a half, a step or an operation less.
    private var smaller: [SyncTrace] {
        let half = steps.count / 2
        let halves = half > 2 ? [with(Array(steps.prefix(half))), with(Array(steps.suffix(half)))] : []
        let fewer = steps.indices.reversed()
            .map { index in
                var rest = steps
                rest.remove(at: index)
                return with(rest)
            }
        let shorter = steps.indices.flatMap { index in
            steps[index].shorter
                .map { step in
                    var steps = steps
                    steps[index] = step
                    return with(steps)
                }
        }
        return halves + fewer + shorter
    }

    private func with(_ steps: [SyncRun.Step]) -> SyncTrace {
        var trace = self
        trace.steps = steps
        return trace
    }
}

extension SyncRun.Step {
    var serverMilliseconds: Int64? {
        if case .upload(_, _, let milliseconds) = self { milliseconds } else { nil }
    }

    /// Every step with an operation less.
    var shorter: [SyncRun.Step] {
        guard case .commit(let device, let operations, let wall, let isAtomic) = self, operations.count > 1 else {
            return []
        }
        return operations.indices.map { index in
            var rest = operations
            rest.remove(at: index)
            return .commit(device: device, rest, wallMilliseconds: wall, isAtomic: isAtomic)
        }
    }
}

// MARK: - Printing

extension SyncTrace: CustomStringConvertible {
    /// The steps as a scenario.
    public var description: String {
        steps.map { step in
            switch step {
            case .commit(let device, let operations, let wall, let isAtomic):
                (["file \(device + 1) commits at \(wall)\(isAtomic ? ", as a whole or not at all" : ""):"]
                    + operations.map { "    \($0)" })
                    .joined(separator: "\n")
            case .upload(let device, let number, let milliseconds):
                "the server takes of file \(device + 1) what is pending through \(number), at \(milliseconds)"
            case .download(let device, let position): "file \(device + 1) integrates through \(position)"
            }
        }
        .joined(separator: "\n")
    }
}
