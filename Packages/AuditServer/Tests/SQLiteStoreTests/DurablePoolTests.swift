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
}
