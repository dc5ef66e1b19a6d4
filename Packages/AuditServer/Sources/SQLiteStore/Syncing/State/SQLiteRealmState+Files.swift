import ChangeModel
import EventModel
import SyncServer

extension SQLiteRealmState {
    /// Notes the hash of the chain of a file behind the last change that was taken.
    func setChain(_ chain: Digest, of file: UInt32) throws {
        guard var record = try record(of: file) else { throw SyncServerError.unknownFile }
        record.chain = chain
        files[file] = record
    }

    /// Writes the files of which something was taken.
    func writeFiles(seen: EventInstant) throws {
        for file in changedFiles.sorted() {
            guard let record = try record(of: file) else { throw OrderedReader.damage }
            try statements.run(.updateFile) { statement in
                try statement.bind(record.progress.acknowledged, at: 1)
                try statement.bind(record.progress.base, at: 2)
                try statement.bind(Int64(bitPattern: record.progress.clock.bits), at: 3)
                try statement.bind(record.chain.bytes, at: 4)
                try statement.bind(seen.microseconds, at: 5)
                try statement.bind(realm, at: 6)
                try statement.bind(Int64(file), at: 7)
            }
        }
    }
}
