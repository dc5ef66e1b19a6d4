import Foundation
import Testing

@Suite("Power cuts of sealed files")
struct SealedPowerCutTests {
    @Test("at every call, torn or with any of what no sync had waited for, a cut leaves what was committed")
    func everyCall() async {
        // LIVE: each run draws other losses.
        let seed = UInt64.random(in: 1 ... .max)
        // The file system of tests is the default one of its process, for good.
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [seed = seed as UInt64] in
            let cuts = try PowerCuts()
            let findings = try cuts.findings(seed: seed)
            #expect(findings == [], "seed \(seed)")
        }

        let log = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!log.contains("failed"), "seed \(seed): \(log)")
    }
}

/// Some transactions in a sealed file, and what is left of them when the power is cut at any call.
private struct PowerCuts {
    private let calls: [RecordingFiles.Call]
    /// For each transaction, after how many calls it was durable.
    private let commits: [Int]

    init() throws {
        guard RecordingFiles.install() else { throw SealedFolder.Failure(code: 1, report: "No file system.") }
        let folder = try SealedFolder()
        var commits: [Int] = []
        RecordingFiles.begin()
        do {
            let writer = try folder.connection()
            try writer.run("PRAGMA synchronous = FULL; PRAGMA cache_size = 10")
            try writer.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
            for turn in 1...12 {
                try writer.run("BEGIN")
                for row in 0..<(turn == 6 ? 60 : 3) {
                    try writer.run("INSERT INTO t VALUES (\(turn * 100 + row), printf('%0900d', \(turn)))")
                }
                if turn > 1 { try writer.run("UPDATE t SET b = b || 'x' WHERE a < \(turn * 20)") }
                try writer.run("COMMIT")
                commits.append(RecordingFiles.noted.count)
                if turn % 4 == 0 { try writer.run("PRAGMA wal_checkpoint(\(turn == 8 ? "TRUNCATE" : "PASSIVE"))") }
            }
        }
        calls = RecordingFiles.noted
        RecordingFiles.end()
        self.commits = commits
    }

    /// What is wrong after a cut at each call, in sentences.
    func findings(seed: UInt64) throws -> [String] {
        var state = seed
        var findings: [String] = []
        for cut in 0...calls.count {
            for kind in 0..<3 {
                let files = files(cut, tearing: kind == 1) {
                    state ^= state << 13
                    state ^= state >> 7
                    state ^= state << 17
                    return kind == 2 && state % 2 == 0
                }
                if let finding = try finding(files, cut) { findings.append("cut \(cut), kind \(kind): \(finding)") }
            }
        }
        return calls.count > 100 ? findings : ["only \(calls.count) calls"]
    }

    /// The files after some calls.
    ///
    /// The next call may be half done, and a write that no sync waited for may be lost.
    private func files(_ cut: Int, tearing isTearing: Bool, _ loses: () -> Bool) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for (place, call) in calls.prefix(isTearing ? cut + 1 : cut).enumerated() {
            switch call {
            case .write(let path, let offset, let bytes):
                let isLast = place == cut
                let synced = calls[place..<max(cut, place)]
                    .contains { if case .sync(path) = $0 { true } else { false } }
                if !isLast, !synced, loses() { continue }
                var file = files[path] ?? []
                let written = isLast ? bytes.prefix(bytes.count / 2) : bytes[...]
                let end = offset + written.count
                if file.count < end { file += [UInt8](repeating: 0, count: end - file.count) }
                file.replaceSubrange(offset..<end, with: written)
                files[path] = file
            case .truncate(let path, let size):
                if place != cut { files[path] = Array((files[path] ?? []).prefix(size)) }
            case .delete(let path):
                if place != cut { files[path] = nil }
            case .sync: break
            }
        }
        return files
    }

    private func finding(_ files: [String: [UInt8]], _ cut: Int) throws -> String? {
        let folder = try SealedFolder()
        for (path, bytes) in files {
            try Data(bytes)
                .write(to: folder.folder.appendingPathComponent(URL(fileURLWithPath: path).lastPathComponent))
        }
        let durable = commits.filter { $0 <= cut }.count
        do {
            let reader = try folder.connection()
            let check = try reader.texts("PRAGMA integrity_check")
            guard check == ["ok"] else { return check.joined(separator: "; ") }
            guard try reader.texts("SELECT count(*) FROM sqlite_master") == ["1"] else {
                return durable == 0 ? nil : "the table is missing"
            }
            let found = try reader.texts("SELECT max(a / 100) FROM t").first
            let last = found.flatMap { Int($0) } ?? 0
            guard last == durable || last == durable + 1 else { return "transaction \(last) instead of \(durable)" }
            return nil
        } catch let error as SealedFolder.Failure {
            return "\(error.code): \(error.report)"
        }
    }
}
