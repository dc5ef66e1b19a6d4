import ChangeModel

extension OfflineWork {
    /// Returns the work with as little in it as still breaks something.
    ///
    /// - Parameter breaks: Whether a work breaks it.
    /// - Returns: A work that breaks it, of which nothing can be left out by itself.
    /// - Complexity: O(*n*²) calls in the operations of the work.
    public func shrunk(breaks: (OfflineWork) -> Bool) -> OfflineWork {
        var work = self
        while let smaller = work.smaller.first(where: breaks) { work = smaller }
        return work
    }

    /// Every work with one commit or one operation less.
    private var smaller: [OfflineWork] {
        var candidates: [OfflineWork] = []
        for (round, commits) in rounds.enumerated() {
            for index in commits.indices {
                var candidate = self
                candidate.rounds[round].remove(at: index)
                candidates.append(candidate)
            }
            for (index, commit) in commits.enumerated() where commit.operations.count > 1 {
                for operation in commit.operations.indices {
                    var candidate = self
                    candidate.rounds[round][index].operations.remove(at: operation)
                    candidates.append(candidate)
                }
            }
        }
        return candidates
    }
}

// MARK: - Printing

extension OfflineWork: CustomStringConvertible {
    /// The work as a scenario: who wrote what, when.
    public var description: String {
        rounds.enumerated()
            .flatMap { round, commits in
                ["round \(round), all in sync before:"]
                    + commits.flatMap { commit in
                        ["  file \(commit.file) at \(commit.clock.milliseconds)+\(commit.clock.counter):"]
                            + commit.operations.map { "    \($0)" }
                    }
            }
            .joined(separator: "\n")
    }
}
