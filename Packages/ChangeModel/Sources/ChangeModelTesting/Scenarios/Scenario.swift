public import ChangeModel

/// A few commits of a few devices, told in the order of their making and uploaded in every order that is possible.
///
/// ```swift
/// var scenario = Scenario(person.create(["name": ""]))
/// scenario.commit(1, at: 10, person.set("name", "a"))
/// scenario.commit(2, at: 20, person.set("name", "b"))
/// scenario.outcome.contents[person, "name"]   // "b"
/// ```
public struct Scenario: Sendable {
    /// One commit of a scenario.
    struct Commit {
        let file: UInt32
        let milliseconds: Int64
        /// The index of the commit that its author had seen last; nil for what all had in common.
        let after: Int?
        let operations: [ChangeOperation]
    }

    /// The state that all devices have in common.
    private(set) var base = InMemoryRealmState()
    private(set) var plain = PlainRealm()
    /// What they committed since.
    private(set) var commits: [Commit] = []

    /// Starts with what file 99 wrote at time 1, which all devices have.
    public init(_ operations: ChangeOperation...) {
        guard !operations.isEmpty else { return }
        commit(99, at: 1, operations)
        sync()
    }

    /// Lets a file commit.
    ///
    /// - Parameters:
    ///   - file: The number of the file.
    ///   - milliseconds: When; later than the commits of the file before.
    ///   - after: The commit that the file has received last since all were in sync; by default none.
    ///   - operations: What it does.
    /// - Returns: The commit, for others to come after it.
    @discardableResult
    public mutating func commit(
        _ file: UInt32,
        at milliseconds: Int64,
        after: Int? = nil,
        _ operations: ChangeOperation...
    ) -> Int {
        commit(file, at: milliseconds, after: after, operations)
    }

    /// Lets a file commit a list of operations.
    @discardableResult
    public mutating func commit(
        _ file: UInt32,
        at milliseconds: Int64,
        after: Int? = nil,
        _ operations: [ChangeOperation]
    ) -> Int {
        commits.append(Commit(file: file, milliseconds: milliseconds, after: after, operations: operations))
        return commits.count - 1
    }

    /// Lets all devices upload in the order of the scenario, and download everything.
    public mutating func sync() {
        let run = ScenarioRun(Array(commits.indices), of: self)
        base = run.state
        plain = run.plain
        commits = []
    }

    /// What comes of every order of upload.
    ///
    /// - Complexity: O(*n*!) in the commits of different files.
    public var outcome: ScenarioOutcome {
        let runs = orders.map { ScenarioRun($0, of: self) }
        var differences: [String] = []
        for run in runs {
            if run.contents != runs[0].contents { differences.append("the order \(run.order) has another result") }
            if run.plain.contents != run.contents { differences.append("\(run.order): the plain rules differ") }
            if run.replica != run.contents { differences.append("\(run.order): a replica differs") }
            if run.fresh != run.contents { differences.append("\(run.order): a new device differs") }
        }
        return ScenarioOutcome(
            contents: runs[0].contents,
            differences: differences,
            entries: runs.map(\.entries)
        )
    }

    /// Every order in which the commits of each file stand in theirs, and each behind the one that it comes after.
    private var orders: [[Int]] { orders(from: []) }

    private func orders(from taken: [Int]) -> [[Int]] {
        guard taken.count < commits.count else { return [taken] }
        return commits.indices
            .filter { index in
                !taken.contains(index)
                    && commits[index].after.map(taken.contains) ?? true
                    && commits.indices.allSatisfy {
                        $0 >= index || commits[$0].file != commits[index].file || taken.contains($0)
                    }
            }
            .flatMap { orders(from: taken + [$0]) }
    }
}

/// What comes of a scenario.
public struct ScenarioOutcome: Sendable {
    /// What all devices have in the end.
    public let contents: RealmContents
    /// Where an order of upload, the plain rules, a replica or a new device have something else; empty if all is well.
    public let differences: [String]
    /// The entries of each order of upload, the order of the scenario first.
    public let entries: [[Entry]]

    /// The results of the operations of a file in each order of upload, the order of the scenario first.
    public func results(of file: UInt32) -> [[OperationResult]] {
        entries.map { $0.filter { $0.change.file == file }.flatMap(\.results) }
    }
}
