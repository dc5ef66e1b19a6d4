import CSQLite
import Foundation
import PageEncryption
import Testing

@Suite("Sealed files")
struct SealedFilesTests {
    @Test("what is written is read again, and lies nowhere in the clear")
    func roundTrip() throws {
        let folder = try SealedFolder()
        let writer = try folder.connection()
        try writer.run("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        try writer.run(
            "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i, 'Sentinel ' || i FROM n"
        )
        try writer.run("UPDATE t SET b = b || '!' WHERE a % 7 = 0")

        #expect(try folder.connection().texts("SELECT count(*) FROM t WHERE b LIKE 'Sentinel%'") == ["5000"])
        #expect(try folder.findings(of: "Sentinel") == [])
        #expect(try writer.texts("PRAGMA integrity_check") == ["ok"])
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try folder.findings(of: "Sentinel") == [])
        #expect(try folder.findings(of: "SQLite format") == [])
        #expect(try folder.connection().texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test("a transaction that outgrows its cache is whole, with pages that are in the log twice")
    func spills() throws {
        let folder = try SealedFolder()
        let writer = try folder.connection()
        try writer.run(
            "PRAGMA cache_size = 10; CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB); CREATE INDEX i ON t (b)"
        )
        try writer.run("BEGIN")
        for turn in 0..<3000 {
            try writer.run("INSERT INTO t VALUES (\(turn), 'x\((turn * 7919) % 3001)' || hex(zeroblob(100)))")
            if turn % 10 == 0 { try writer.run("UPDATE t SET b = b || 'y' WHERE a = \(turn / 2)") }
            if turn % 500 == 0 { try writer.run("SAVEPOINT s; DELETE FROM t WHERE a < 100; ROLLBACK TO s; RELEASE s") }
        }
        try writer.run("COMMIT")

        #expect(try folder.connection().texts("PRAGMA integrity_check") == ["ok"])
        let copy = try folder.copied()
        #expect(try copy.connection().texts("SELECT count(*) FROM t") == ["3000"])
        #expect(try copy.connection().texts("PRAGMA integrity_check") == ["ok"])
        #expect(try copy.findings(of: "00000000000000") == [])
    }

    @Test("nothing temporary is opened in the clear")
    func temporaryFiles() throws {
        let folder = try SealedFolder()
        let writer = try folder.connection()
        try writer.run("CREATE TABLE t (b TEXT)")
        try writer.run(
            "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT 'x' || i FROM n"
        )

        #expect(try writer.texts("SELECT count(*) FROM (SELECT DISTINCT b FROM t ORDER BY b DESC)") == ["50000"])
        try writer.run("PRAGMA temp_store = FILE; PRAGMA temp.cache_size = 5")
        let error = #expect(throws: SealedFolder.Failure.self) {
            try writer.run("CREATE TEMP TABLE c AS SELECT * FROM t")
        }
        #expect(error?.code == SQLITE_CANTOPEN)
    }

    @Test("page size, room and log are those of the format")
    func format() throws {
        let folder = try SealedFolder()
        let writer = try folder.connection()
        try writer.run("CREATE TABLE t (a)")
        try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")

        let bytes = try Array(Data(contentsOf: folder.file))
        #expect(bytes.prefix(4) == [0x44, 0x53, 0x45, 0x31])
        #expect(bytes.count == 8192)
        let header = try #require(SealedFileState.header(of: bytes, folder.key))
        #expect(Array(header.prefix(24)) == Array("SQLite format 3\0".utf8) + [0x10, 0, 2, 2, 32, 64, 32, 32])
        #expect(SealedFileState(bytes, SealedFolder.key(2)) == .otherKey)
        #expect(SealedFileState(Array("SQLite format 3\0".utf8), folder.key) == .notSealed)
        #expect(SealedFileState(Array(bytes.prefix(4095)), folder.key) == .damaged)
    }

    @Test("another key reads nothing")
    func otherKey() throws {
        let folder = try SealedFolder()
        try folder.connection().run("CREATE TABLE t (a)")

        let error = #expect(throws: SealedFolder.Failure.self) { try folder.connection(SealedFolder.key(2)) }
        #expect(error?.code == SQLITE_NOTADB)
    }
}

extension SealedFileState {
    /// The header that a state has.
    static func header(of bytes: [UInt8], _ key: FileKey) -> [UInt8]? {
        guard case .header(let header) = SealedFileState(bytes, key) else { return nil }
        return header
    }
}
