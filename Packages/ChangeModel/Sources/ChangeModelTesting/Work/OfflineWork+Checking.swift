package import ChangeModel
import EventModel
import EventModelTesting

extension OfflineWork {
    /// Uploads the work in several orders and compares what comes of it with itself, with the plain rules and with
    /// replicas.
    ///
    /// - Parameters:
    ///   - rules: The rules that decide; with one left out, some work must break something.
    ///   - orders: How many orders of upload are tried in each round; all of them where there are at most 30.
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
            for order in self.orders(of: commits, seed: UInt64(round), atLeast: orders) {
                let other = taken(order.map { commits[$0] }, by: base, rules: rules)
                if RealmContents(other) != contents { return "round \(round): the order \(order) has another result" }
            }
        }
        return nil
    }

    /// Returns orders in which the commits of each file stand in theirs: all, or some where there are many.
    private func orders(of commits: [Commit], seed: UInt64, atLeast count: Int) -> [[Int]] {
        var orders: [[Int]] = [[]]
        for _ in commits.indices {
            orders = orders.flatMap { order in next(after: order, in: commits).map { order + [$0] } }
            if orders.count > 30 { break }
        }
        guard orders.contains(where: { $0.count < commits.count }) else { return orders }
        var random = SeededGenerator(seed: seed)
        return (0..<count)
            .map { _ in
                var order: [Int] = []
                while let index = next(after: order, in: commits).randomElement(using: &random) { order.append(index) }
                return order
            }
    }

    /// Returns the first commit of each file that does not stand in an order yet.
    private func next(after order: [Int], in commits: [Commit]) -> [Int] {
        commits.indices.filter { index in
            !order.contains(index)
                && !commits[..<index].indices
                    .contains { commits[$0].file == commits[index].file && !order.contains($0) }
        }
    }

    private func taken(_ commits: [Commit], by base: InMemoryRealmState, rules: RuleSet) -> InMemoryRealmState {
        var state = base
        for commit in commits {
            _ = state.take(commit.change(after: state, base: base.head), of: commit.file, rules: rules)
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
