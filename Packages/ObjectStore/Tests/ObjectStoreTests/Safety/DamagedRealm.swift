import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

/// A realm that was filled once, whose files are damaged over and over.
struct DamagedRealm {
    /// What came of opening and reading damaged files.
    enum Outcome {
        /// Opening threw.
        case refused(Realm.Error)
        /// Reading threw.
        case unreadable(Realm.Error)
        /// Nothing threw, and this was read.
        case contents([String])

        /// The error, wherever it came from.
        var error: Realm.Error? {
            switch self {
            case .refused(let error), .unreadable(let error): error
            case .contents: nil
            }
        }

        /// What was read.
        var contents: [String]? {
            if case .contents(let contents) = self { contents } else { nil }
        }
    }

    /// The bytes of the file, after the last instance was closed.
    let file: Data
    /// What was in it.
    let contents: [String]

    /// Fills a realm with objects of every kind; long values take pages of their own.
    init() throws {
        let folder = try TemporaryRealm()
        do {
            let realm = try folder.open()
            var changes = RandomChanges(seed: 42, realm)
            try realm.write {
                realm.add((10_000..<10_060).map(Person.numbered))
                changes.apply(150)
            }
            contents = Self.read(realm)
        }
        file = try Data(contentsOf: try #require(folder.configuration.fileURL))
    }

    /// Reads every property of every object.
    static func read(_ realm: Realm) -> [String] {
        var lines: [String] = realm.objects(Person.self).map { "\($0)" }
        lines += realm.objects(Dog.self).map { "\($0)" }
        lines += realm.objects(Everything.self).map { "\($0)" }
        for node in realm.objects(Node.self) {
            lines.append("\(node) \(node.next?.id ?? "") \(node.children.map { $0.id ?? "" })")
        }
        for home in realm.objects(Home.self) {
            lines.append(
                """
                \(home) \(home.owner?._id ?? 0) \(home.watchdog?.name ?? "") \(home.people.map(\._id)) \
                \(home.dogs.map(\.name)) \(home.address?.street ?? "") \(home.formerAddresses.map(\.street)) \
                \(Array(home.tags)) \(Array(home.ratings))
                """
            )
        }
        return lines
    }

    /// Opens and reads a realm of these bytes.
    ///
    /// A file that is refused must stay as it is.
    static func outcome(
        _ file: Data,
        log: Data? = nil,
        verifies: Bool = false,
        _ read: (Realm) -> [String] = read
    ) throws -> Outcome {
        let folder = try TemporaryRealm { $0.verifiesFile = verifies }
        let url = try #require(folder.configuration.fileURL)
        try file.write(to: url)
        try log?.write(to: URL(fileURLWithPath: "\(url.path)-wal"))
        do {
            let realm = try folder.open()
            do {
                return .contents(try realm.read(read))
            } catch {
                return .unreadable(try #require(error as? Realm.Error))
            }
        } catch {
            if log == nil { #expect(try Data(contentsOf: url) == file, "A file that is refused must be untouched.") }
            return .refused(try #require(error as? Realm.Error))
        }
    }
}
