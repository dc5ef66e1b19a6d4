import BenchmarkFloors
import Foundation

/// How much is measured, and where its files lie.
struct Workload: Sendable {
    /// How many people the store holds.
    let people: [SamplePerson]
    /// How many turns count for each row.
    let rounds: Int
    /// How many single transactions and synced events a turn has.
    let commits: Int
    /// How many unsynced events a turn has.
    let events: Int
    /// How many objects there are in rows that are measured with more and more of them.
    let counts: [Int]
    /// How many elements there are in lists that are measured with more and more of them.
    let listCounts: [Int]
    /// Whether fewer rounds of less work are enough.
    let isQuick: Bool
    private let folder: URL

    /// Makes a folder of its own for the files.
    init(isQuick: Bool) throws {
        self.isQuick = isQuick
        people = SamplePerson.people(count: isQuick ? 20_000 : 100_000)
        counts = isQuick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]
        listCounts = [1000] + counts
        rounds = isQuick ? 3 : 7
        commits = isQuick ? 100 : 1000
        events = isQuick ? 20_000 : 100_000
        // LIVE: the outermost layer; the figures depend on the disk below this folder.
        let place = ProcessInfo.processInfo.environment["TMPDIR"] ?? FileManager.default.currentDirectoryPath
        folder = URL(filePath: place).appending(path: "daybook-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try makeFolder(folder)
    }

    /// Runs some work in a new folder, and removes the folder after it.
    func withFolder<T>(_ work: (URL) async throws -> T) async throws -> T {
        // LIVE: a name that no other turn has.
        let place = folder.appending(path: UUID().uuidString)
        try makeFolder(place)
        defer { remove(place) }
        return try await work(place)
    }

    /// Makes a folder that stays until the end, for files that several rows use.
    func makeSharedFolder(_ name: String) throws -> URL {
        let place = folder.appending(path: name)
        try makeFolder(place)
        return place
    }

    /// Removes everything that was written.
    func removeFolder() { remove(folder) }

    private func makeFolder(_ place: URL) throws {
        // LIVE: the outermost layer.
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }

    private func remove(_ place: URL) {
        // A folder that stays is untidy, and no reason to lose the figures.
        // LIVE: the outermost layer.
        try? FileManager.default.removeItem(at: place)
    }
}
