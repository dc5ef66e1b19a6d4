package import ChangeModel
import EventModel
import EventModelTesting

extension OfflineWork {
    /// Uploads the work in several orders and compares what comes of it with itself, with the plain rules and with replicas.
    ///
    /// - Parameters:
    ///   - rules: The rules that decide; with one left out, some work must break something.
    ///   - orders: How many orders of upload are tried in each round.
    /// - Returns: What is wrong, as a sentence; nil if nothing is.
    package func broken(rules: RuleSet = .all, orders: Int = 3) -> String? {
        var state = InMemoryRealmState()
        var plain = PlainRealm()
        var replica = RealmContents()
        for (round, commits) in rounds.enumerated() {
            let base = state
            for commit in commits {
                let change = commit.change(after: state, base: base.head)
                guard let entry = state.take(change, of: commit.file, rules: rules) else {
                    return "round \(round): a change was not taken"
                }
                plain.take(change, of: commit.file, milliseconds: .sampleMilliseconds)
                replica.apply(entry)
                // The literals of each entry must be right at its number, not only in the end.
                let contents = RealmContents(state)
                if replica != contents { return "round \(round): the literals of entry \(entry.number) are wrong" }
            }
            let contents = RealmContents(state)
            if plain.contents != contents { return "round \(round): the plain rules have another result" }
            for order in 1..<max(orders, 1) {
                let other = taken(commits, by: base, order: UInt64(round * 100 + order), rules: rules)
                if RealmContents(other) != contents { return "round \(round): order \(order) has another result" }
            }
        }
        return nil
    }

    /// Uploads the commits of a round in another order, those of one file in theirs.
    private func taken(
        _ commits: [Commit],
        by base: InMemoryRealmState,
        order: UInt64,
        rules: RuleSet
    ) -> InMemoryRealmState {
        var random = SeededGenerator(seed: order)
        var queues = Dictionary(grouping: commits, by: \.file)
        var state = base
        while let file = queues.keys.sorted().randomElement(using: &random) {
            guard let commit = queues[file]?.removeFirst() else { break }
            if queues[file]?.isEmpty == true { queues[file] = nil }
            _ = state.take(commit.change(after: state, base: base.head), of: file, rules: rules)
        }
        return state
    }
}

extension InMemoryRealmState {
    /// Takes a change by some of the rules; nil if it does not follow the last one of its file.
    package mutating func take(_ change: Change, of file: UInt32, rules: RuleSet) -> Entry? {
        // A gap is what the caller asks about.
        try? accept(
            change,
            of: file,
            user: 1,
            received: .sample,
            digest: .sample,
            rules: rules,
            refusing: { _, _ in nil }
        )
    }
}

extension Int64 {
    /// The milliseconds of the time of a server that lowers no clock of the tests.
    static var sampleMilliseconds: Int64 { EventInstant.sample.microseconds / 1000 }
}
