import Foundation
import ObjectStoreTesting
import PageEncryption
import Synchronization
import Testing

@testable import ObjectStore

@Suite("Power cuts while a realm gets another key")
struct RekeyPowerCutTests {
    private static let keys = [TemporaryRealm.key(1), TemporaryRealm.key(2), nil]

    @Test(
        "between any two calls, with or without what no sync had waited for, the file has all it had under one of its keys",
        arguments: [(0, 1), (0, 2), (2, 1)]
    )
    func everyCall(old: Int, new: Int) throws {
        let replacing = try Replacing(from: Self.keys[old], to: Self.keys[new])

        #expect(replacing.moments.count == 7)
        var checked = 0
        for cut in 0...replacing.moments.count {
            for disk in replacing.disks(cutAt: cut) {
                let finding = try replacing.finding(in: disk, cut)
                #expect(finding == nil, "before call \(cut)")
                checked += 1
            }
        }
        #expect(checked > 25)
    }
}

/// A realm with a log that gets another key, and what lay in its folder before each call.
private struct Replacing {
    struct Moment {
        enum Call: Equatable {
            case sync(String)
            case remove(String)
            case move(String, String)
        }

        let call: Call
        let files: [String: Data]
    }

    let moments: [Moment]
    private let end: [String: Data]
    private let old: Data?
    private let new: Data?

    private static let name = "test.realm"
    private static let copy = URL(fileURLWithPath: FileReplacement.path(of: name)).lastPathComponent

    init(from old: Data?, to new: Data?) throws {
        let (source, place) = (try Self.realm(old), try Self.realm(old))
        let url = try #require(place.configuration.fileURL)
        try source.writeNotes(0..<200)
        do {
            let realm = try source.open()
            try source.writeNotes(200..<300)
            // While an instance is open, part of what was committed lies in the log alone.
            try Self.write(Self.files(in: source.folder).filter { !$0.key.hasSuffix("-shm") }, into: place.folder)
            #expect(realm.objects(SealedModels.First.SecretNote.self).count == 300)
        }

        let noted = Mutex<[Moment]>([])
        let folder = place.folder
        @Sendable func note(_ call: Moment.Call) {
            // A folder that cannot be read has no files, which no check would take for a realm.
            let files = (try? Self.files(in: folder)) ?? [:]
            noted.withLock { $0.append(Moment(call: call, files: files)) }
        }
        @Sendable func last(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
        let system = ReplacementCalls.system
        let calls = ReplacementCalls(
            sync: { path in
                note(.sync(last(path)))
                return system.sync(path)
            },
            remove: { path in
                note(.remove(last(path)))
                return system.remove(path)
            },
            move: { path, place in
                note(.move(last(path), last(place)))
                return system.move(path, place)
            }
        )
        let replacement = FileReplacement(
            path: RealmFile.canonicalPath(url),
            key: new.flatMap { FileKey($0) },
            calls: calls
        )
        do {
            let key = old.flatMap { FileKey($0) }
            try replacement.write(from: Connection(fileURL: url, key: key, isReadOnly: false, isDurable: true))
        }
        try replacement.finish()
        moments = noted.withLock { $0 }
        end = try Self.files(in: folder)
        self.old = old
        self.new = new
    }

    /// What the disk may have when the power goes before a call.
    func disks(cutAt cut: Int) -> [[String: Data]] {
        let now = cut < moments.count ? moments[cut].files : end
        let done = moments.prefix(cut)
        let isSynced: (Moment) -> Bool = { if case .sync(let name) = $0.call { name != Self.copy } else { false } }
        let unsure = done.suffix(from: done.lastIndex(where: isSynced) ?? done.startIndex).filter { !isSynced($0) }
        var disks = [now]
        // Every choice of the changed names that the disk does not have yet.
        for choice in 1..<(1 << unsure.count) {
            for contents in [unsure.map(\.files), unsure.map { _ in moments[0].files }] {
                var disk = now
                for (place, moment) in unsure.enumerated().reversed() where choice & (1 << place) != 0 {
                    switch moment.call {
                    case .sync: break
                    case .remove(let name): disk[name] = contents[place][name]
                    case .move(let name, let target):
                        disk[name] = disk[target]
                        disk[target] = moment.files[target]
                    }
                }
                disks.append(disk)
            }
        }
        // Before the copy was synced, any part of it may be missing.
        if !done.contains(where: { $0.call == .sync(Self.copy) }), let bytes = now[Self.copy] {
            for torn in [Data(), bytes.prefix(bytes.count / 3), Data(count: bytes.count)] {
                disks.append(now.merging([Self.copy: torn]) { _, new in new })
            }
        }
        return disks
    }

    /// What is wrong with a folder, in a sentence.
    func finding(in disk: [String: Data], _ cut: Int) throws -> String? {
        let place = try Self.realm(old)
        try Self.write(disk, into: place.folder)
        let moved = moments.firstIndex { if case .move = $0.call { true } else { false } }
        var keys = [old, new]
        if let moved, cut <= moved { keys = [old] }
        if cut == moments.count { keys = [new] }
        var notes: [Int]?
        for key in keys where notes == nil {
            do {
                notes = try place.notes { $0.encryptionKey = key }
            } catch let error as Realm.Error where error.code == .invalidDatabase {
                continue
            }
        }
        guard notes == Array(0..<300) else { return "\(notes?.count ?? -1) notes of 300" }
        let left = try Self.files(in: place.folder).keys.filter { $0.contains(Self.copy) }
        return left.isEmpty ? nil : "the copy was left behind: \(left.sorted())"
    }

    private static func realm(_ key: Data?) throws -> TemporaryRealm {
        try TemporaryRealm([SealedModels.First.SecretNote.self]) { $0.encryptionKey = key }
    }

    private static func files(in folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let files = try names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) }
        return Dictionary(uniqueKeysWithValues: files)
    }

    private static func write(_ files: [String: Data], into folder: URL) throws {
        for (name, bytes) in files { try bytes.write(to: folder.appendingPathComponent(name)) }
    }
}
