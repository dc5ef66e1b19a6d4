import Foundation
import Testing

@Suite("Sealed files that somebody changed")
struct ChangedFileTests {
    private let folder: SealedFolder

    init() throws {
        folder = try SealedFolder()
    }

    /// What a file and its log say: the numbers of all rows, in a text; nil when they say that they are damaged.
    private func contents(_ file: [UInt8], _ log: [UInt8]) throws -> String? {
        try? FileManager.default.removeItem(at: folder.shared)
        try Data(file).write(to: folder.file)
        try Data(log).write(to: folder.log)
        do {
            let reader = try SealedConnection(folder.file, folder.key)
            // Closing takes the log into the file, and nobody waits for the disk here.
            try reader.run("PRAGMA synchronous = OFF")
            return try reader.texts("SELECT group_concat(a || b) FROM t").first
        } catch is SealedFolder.Failure {
            return nil
        }
    }

    /// A file of two pages without a log.
    private func smallFile() throws -> [UInt8] {
        let writer = try folder.connection()
        try writer.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'one'), (2, 'two')")
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return try Array(Data(contentsOf: folder.file))
    }

    @Test("each changed byte of a file is found")
    func changedBytes() throws {
        var file = try smallFile()
        let whole = try #require(try contents(file, []))
        #expect(file.count == 8192 && whole == "1one,2two")

        var read: [Int] = []
        for place in file.indices {
            file[place] ^= 0x40
            if try contents(file, []) != nil { read.append(place) }
            file[place] ^= 0x40
        }

        #expect(read == [])
        #expect(try contents(file, []) == whole)
    }

    @Test("a file that is cut off anywhere is found, or is an empty one")
    func cuts() throws {
        let file = try smallFile()

        for count in Array(stride(from: 0, to: 8192, by: 97)) + [4095, 4096, 4097, 8191] {
            let found = try contents(Array(file.prefix(count)), [])
            #expect(found == nil, "\(count)")
        }
    }

    @Test("pages that change places, come twice or come from another file are found")
    func movedPages() throws {
        let writer = try folder.connection()
        try writer.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        for row in 1...200 { try writer.run("INSERT INTO t VALUES (\(row), printf('%0200d', \(row)))") }
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try Array(Data(contentsOf: folder.file))
        let count = file.count / 4096
        let other = try SealedFolder()
        try other.connection().run("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'x')")
        let foreign = try Array(Data(contentsOf: other.file))
        #expect(try contents(file, []) != nil)
        #expect(count > 8)

        for page in 1..<count {
            var changed = file
            let next = page + 1 < count ? page + 1 : 1
            changed.replaceSubrange(page * 4096..<(page + 1) * 4096, with: file[next * 4096..<(next + 1) * 4096])
            #expect(try contents(changed, []) == nil, "\(page)")
            changed.replaceSubrange(page * 4096..<(page + 1) * 4096, with: foreign.suffix(4096))
            #expect(try contents(changed, []) == nil, "\(page)")
            changed.replaceSubrange(page * 4096..<(page + 1) * 4096, with: [UInt8](repeating: 0, count: 4096))
            #expect(try contents(changed, []) == nil, "\(page)")
        }
    }

    /// A file whose one value lies on many pages, which hold nothing by which SQLite itself could see that one is another.
    private func fileOfLongValue() throws -> [UInt8] {
        let writer = try folder.connection()
        try writer.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        try writer.run("INSERT INTO t VALUES (1, printf('%0*d', 40000, 7))")
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
        return try Array(Data(contentsOf: folder.file))
    }

    @Test("each page of a long value is found when it was changed, and is never read as zeros")
    func changedValue() throws {
        var file = try fileOfLongValue()
        let whole = try #require(try contents(file, []))
        #expect(whole.utf8.count == 40_001 && file.count >= 11 * 4096)

        for place in stride(from: 4096 + 2000, to: file.count, by: 4096) {
            file[place] ^= 0x40
            #expect(try contents(file, []) == nil, "\(place)")
            file[place] ^= 0x40
        }
        #expect(try contents(file, []) == whole)
    }

    @Test("a file that is cut off while it is open is found when the missing page is read")
    func cutWhileOpen() throws {
        let file = try fileOfLongValue()
        try? FileManager.default.removeItem(at: folder.shared)
        try Data(file).write(to: folder.file)
        let reader = try SealedConnection(folder.file, folder.key)
        #expect(try reader.texts("SELECT a FROM t") == ["1"])

        let handle = try FileHandle(forWritingTo: folder.file)
        // The last page leads to no other one, so that SQLite would miss nothing if it read as zeros.
        try handle.truncate(atOffset: UInt64(file.count) - 4096)
        try handle.close()

        #expect(throws: SealedFolder.Failure.self) { try reader.texts("SELECT b FROM t") }
    }

    /// A file and a log of several transactions, with what each of them left.
    private func fileWithLog() throws -> (file: [UInt8], log: [UInt8], states: [String]) {
        var states: [String] = []
        let writer = try folder.connection()
        try writer.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'one')")
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
        states += try writer.texts("SELECT group_concat(a || b) FROM t")
        for row in 2...5 {
            try writer.run("INSERT INTO t VALUES (\(row), 'row')")
            states += try writer.texts("SELECT group_concat(a || b) FROM t")
        }
        return (try Array(Data(contentsOf: folder.file)), try Array(Data(contentsOf: folder.log)), states)
    }

    @Test("each changed byte of a log ends it before a transaction, and what is before that is whole")
    func changedLog() throws {
        var (file, log, states) = try fileWithLog()
        #expect(log.count == 32 + 4 * 4120)
        #expect(try contents(file, log) == states.last)

        var wrong: [Int] = []
        for place in log.indices {
            log[place] ^= 0x40
            let frame = place < 32 ? 0 : (place - 32) / 4120
            if try contents(file, log) != states[frame] { wrong.append(place) }
            log[place] ^= 0x40
        }

        #expect(wrong == [])
        #expect(try contents(file, log) == states.last)
    }

    @Test("a log that is cut off anywhere has the transactions that are whole")
    func cutLog() throws {
        let (file, log, states) = try fileWithLog()

        for count in Array(stride(from: 0, to: log.count, by: 61)) + [31, 32, 33, 32 + 4119, 32 + 4120, 32 + 4121] {
            let frames = count < 32 ? 0 : (count - 32) / 4120
            #expect(try contents(file, Array(log.prefix(count))) == states[frames], "\(count)")
        }
    }

    @Test("frames that change places end the log")
    func movedFrames() throws {
        let (file, log, states) = try fileWithLog()
        var swapped = log
        swapped.replaceSubrange(32 + 4120..<32 + 2 * 4120, with: log[(32 + 2 * 4120)..<(32 + 3 * 4120)])

        #expect(try contents(file, swapped) == states[1])
    }
}
