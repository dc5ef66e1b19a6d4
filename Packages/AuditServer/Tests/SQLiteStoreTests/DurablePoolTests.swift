import EventModelTesting
import GRDB
import Testing

@testable import SQLiteStore

@Suite("A database of what devices cannot send again")
struct DurablePoolTests {
    @Test("syncs each commit, overwrites what is deleted, and says so when it is asked, also when it is opened again")
    func settings() throws {
        let folder = try TestFolder.made()
        for _ in 1...2 {
            let pool = try DatabasePool.durable(
                path: folder.file("kept.sqlite"),
                label: "kept",
                writerCacheKibibytes: 5000
            ) { _ in }
            let settings = try pool.writeWithoutTransaction { database in
                try ["synchronous", "secure_delete", "page_size", "journal_mode", "cache_size"]
                    .map { try String.fetchOne(database, sql: "PRAGMA \($0)") }
            }
            // 2 is FULL: with NORMAL, a commit in the log is not on the disk when it returns.
            #expect(settings == ["2", "1", "8192", "wal", "-5000"])
            try pool.close()
        }
    }

    @Test("who opens it, or the search index, waits for whoever empties its log")
    func patience() throws {
        let folder = try TestFolder.made()
        let pool = try DatabasePool.durable(path: folder.file("kept.sqlite"), label: "kept") { _ in }
        let index = try SearchIndex(path: folder.file("search.sqlite"))

        for database in [pool, index.database] as [any DatabaseWriter] {
            let milliseconds = [
                try database.read { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") },
                try database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") },
            ]
            // GRDB lets those who read wait for ten seconds by itself, and the one who opens and writes not at all.
            #expect(milliseconds.allSatisfy { $0 ?? 0 >= 5000 })
        }
    }
}
