import BenchmarkFloors
import Daybook
import Foundation
import Synchronization

/// Files with people that many rows only read, each filled once: a realm, and beside it the same people in a plain SQLite file.
final class FilledFiles: Sendable {
    /// Who is in a file.
    enum Kind: String {
        /// People without any index.
        case people
        /// People whose employee's number is indexed.
        case ranked
    }

    private let workload: Workload
    private let filled = Mutex<Set<String>>([])

    init(workload: Workload) { self.workload = workload }

    /// Returns the folder of a realm that nobody has open, and of the plain file.
    ///
    /// - Complexity: O(*n* log *n*) in the count for the first call of a kind and count; then O(1).
    func folder(_ kind: Kind, count: Int) throws -> URL {
        try filled.withLock { filled in
            let folder = try workload.makeSharedFolder("\(kind.rawValue)-\(count)")
            guard filled.insert(folder.path).inserted else { return folder }
            let realm = try openRealm(in: folder)
            let raw = try rawPeople(kind, in: folder)
            for start in stride(from: 0, to: count, by: 50_000) {
                let people = (start..<min(start + 50_000, count)).map { SamplePerson($0) }
                try raw.insert(people)
                try realm.write {
                    for person in people {
                        realm.add(kind == .people ? Person(person) as Object : RankedPerson(person))
                    }
                }
            }
            return folder
        }
    }

    /// Opens the plain file of a folder.
    func rawPeople(_ kind: Kind, in folder: URL) throws -> RawPeople {
        try RawPeople(path: folder.appending(path: "people.sqlite").path, indexesEmployeeId: kind == .ranked)
    }

    /// Runs some work with a copy of the plain file.
    func withRawCopy<T>(_ kind: Kind, count: Int, _ work: (RawPeople) throws -> T) async throws -> T {
        let original = try folder(kind, count: count).appending(path: "people.sqlite")
        return try await workload.withFolder { folder in
            // LIVE: the outermost layer.
            try FileManager.default.copyItem(at: original, to: folder.appending(path: "people.sqlite"))
            return try work(rawPeople(kind, in: folder))
        }
    }

    /// Runs some work with a copy of the realm, of which no instance has seen anything yet.
    func withCopy<T>(_ kind: Kind, count: Int, _ work: (Realm) async throws -> T) async throws -> T {
        let original = try folder(kind, count: count).appending(path: "people.realm")
        return try await workload.withFolder { folder in
            // LIVE: the outermost layer.
            try FileManager.default.copyItem(at: original, to: folder.appending(path: "people.realm"))
            return try await work(openRealm(in: folder))
        }
    }
}
