import EventModel
import GRDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SearchIndex {
    /// Lets the events of a partition be found by the device that sealed it; does nothing before that.
    ///
    /// The seal comes after the events, and nothing comes after the seal, so that this happens once for a partition.
    ///
    /// - Throws: `unavailable` when the store or the index fails.
    /// - Complexity: O(*n*) in the events of the partition.
    func enterDevice(of partition: PartitionID, from store: any EventStore) async throws {
        guard let seal = try await store.partition(partition)?.seal else { return }
        let term = SearchTerm(.device, Hexadecimal.text(seal.publicKey))
        try await SQLiteFailure.naming {
            try await database.write { database in
                try database.execute(
                    sql: "UPDATE Shelf SET device = ? WHERE value = ? AND device IS NULL",
                    arguments: [Data(seal.publicKey), partition.value]
                )
                guard database.changesCount == 1 else { return }
                let named: StatementArguments = [term.kind.rawValue, Data(term.bytes)]
                try database.execute(
                    sql: "INSERT INTO Term (kind, text, count) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
                    arguments: named
                )
                let shelved: StatementArguments = [
                    SearchTerm.Kind.partition.rawValue, Data(SearchTerm(.partition, partition.value).bytes),
                    partition.value,
                ]
                // Long names of partitions may share a term, which is cut; the shelf tells them apart.
                try database.execute(
                    sql: """
                        INSERT INTO Posting (term, time, number)
                        SELECT (SELECT id FROM Term WHERE kind = ? AND text = ?), Posting.time, Posting.number
                        FROM Term JOIN Posting ON Posting.term = Term.id JOIN Entry ON Entry.number = Posting.number
                        WHERE Term.kind = ? AND Term.text = ? AND Entry.shelf = (SELECT id FROM Shelf WHERE value = ?)
                        """,
                    arguments: named + shelved
                )
                let count = database.changesCount
                try database.execute(
                    sql: "UPDATE Term SET count = count + ? WHERE kind = ? AND text = ?",
                    arguments: [count] + named
                )
            }
        }
    }
}
