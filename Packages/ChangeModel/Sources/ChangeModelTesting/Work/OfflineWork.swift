public import ChangeModel
import EventModel
import EventModelTesting

/// What several devices wrote while none could reach the server, in rounds between which all synced.
///
/// The final state must not depend on the order in which they upload. A work that breaks this can be made smaller and
/// printed.
public struct OfflineWork: Sendable, Equatable {
    /// One commit; its number and its position follow from where it stands.
    public struct Commit: Sendable, Equatable {
        /// The file, from 1.
        public var file: UInt32
        /// When it was made.
        public var clock: HybridClock
        /// What it did.
        public var operations: [ChangeOperation]

        /// Creates a commit.
        public init(file: UInt32, clock: HybridClock, operations: [ChangeOperation]) {
            self.file = file
            self.clock = clock
            self.operations = operations
        }
    }

    /// The commits of each round, those of one file in their order.
    public var rounds: [[Commit]]

    /// Creates a work.
    public init(rounds: [[Commit]]) { self.rounds = rounds }

    /// Lets two to four devices write at random, in two rounds.
    public init(seed: UInt64) {
        var work = RandomWork(seed: seed)
        var state = InMemoryRealmState()
        let files = 2 + work.random.below(3)
        var milliseconds: Int64 = 1000
        rounds = []
        for _ in 0..<2 {
            var commits: [Commit] = []
            let base = state.head
            let heard = (1...files).map { state.progress(of: UInt32($0)).clock }.max() ?? .zero
            for file in (1...files).map(UInt32.init) {
                var seen = state
                var clock = heard
                for _ in 0..<work.random.below(5) {
                    milliseconds += Int64(work.random.below(4))
                    let skew = Int64(work.random.below(3) - 1) * 40
                    clock = clock.atCommit(wallMilliseconds: milliseconds + skew)
                    let operations = work.operations(on: RealmContents(seen))
                    let commit = Commit(file: file, clock: clock, operations: operations)
                    seen.takeOwn(commit.change(after: seen, base: base), of: file)
                    commits.append(commit)
                }
            }
            rounds.append(commits)
            state = Self.taken(commits, by: state)
        }
    }

    private static func taken(_ commits: [Commit], by state: InMemoryRealmState) -> InMemoryRealmState {
        var state = state
        let base = state.head
        for commit in commits { state.takeOwn(commit.change(after: state, base: base), of: commit.file) }
        return state
    }
}

extension OfflineWork.Commit {
    /// The change that the file sends.
    func change(after state: InMemoryRealmState, base: Int) -> Change {
        Change(
            number: state.progress(of: file).acknowledged + 1,
            base: base,
            clock: clock,
            operations: operations
        )
    }
}
