import ArgumentParser
import AuditArchives
import AuditModel
import ChangeModel
import EventModel
import SQLiteStore
import SyncServer

/// `daybook entries`: shows what devices wrote into realms, in the order in which the server took it.
struct EntriesCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "entries",
            abstract: "Shows what devices wrote into the realms that they share, entry by entry.",
            discussion: """
                The event of a write names the changes that it became, the event of a read the position that the realm was \
                at: daybook show prints both as "in sync", daybook events --json as sync. This command says which user and \
                device wrote what, so that one finds where a value on a screen came from. It reads the data folder of the \
                server, also while that runs; so whoever may read that folder sees everything in the realms.

                  daybook entries --realm s_ward-7 --until 345 --object Patient/7
                  daybook entries --history 5f1b0c2ee4b0a1b2c3d4e5f601020304 \\
                      --file 3 --change 12
                  daybook entries --user 62b3 --json > written.jsonl

                With --json each line has the app, the realm and its history, the entry, the file and its change, the user, \
                when it was written and received, what it changed, and what of it was refused and why.
                """
        )
    }

    /// How many bytes of entries are in memory at once.
    private static let pageBytes = 4 << 20

    @OptionGroup var selected: RealmOptions

    @OptionGroup var wanted: EntryOptions

    @Flag(help: "Write one JSON object for each entry instead of a table.")
    var json = false

    func run() async throws {
        let store = try selected.store()
        let rows = EntryRows()
        var left = wanted.limit ?? .max
        var hasRealm = false
        for realm in try await selected.realms(in: store) where left > 0 {
            guard let status = try await store.status(of: realm), wanted.isMeant(status) else { continue }
            if !hasRealm, !json { StandardOutput.write(rows.header) }
            hasRealm = true
            var isTitled = false
            try await entries(of: realm, status, in: store) { shown in
                left -= 1
                if json {
                    StandardOutput.write(try EventLine.lines([EntryLine(shown, realm, status)]))
                } else {
                    StandardOutput.write((isTitled ? "" : rows.title(realm)) + rows.rows(shown))
                }
                isTitled = true
                return left > 0
            }
        }
        guard hasRealm else {
            throw CommandError.missingRealm(known: try await store.realms().map { "\($0.app) \($0.value)" })
        }
    }

    /// Visits the entries of a realm that are meant, page by page, until the visitor has enough.
    private func entries(
        of realm: RealmName,
        _ status: RealmStatus,
        in store: SQLiteChangeStore,
        _ visit: (ShownEntry) throws -> Bool
    ) async throws {
        let users = try await store.users(of: realm)
        let numbers = try await wanted.numbers(of: realm, status, in: store)
        if wanted.misses(status, numbers) {
            StandardOutput.remark(
                """
                The entries of \(realm.app) \(realm.value) up to \(status.floor) are gone: its log is kept for a time \
                only, as apps.\(realm.app).realms.historyDays of the configuration says.
                """
            )
        }
        var next = numbers.lowerBound
        while numbers.contains(next) {
            let page = try await store.entries(
                of: realm,
                after: next - 1,
                history: status.history,
                // A single entry may have more.
                maximumBytes: numbers.count == 1 ? 1 : Self.pageBytes
            )
            guard let last = page.entries.last else { return }
            next = last.number + 1
            for stored in page.entries where numbers.contains(stored.number) {
                let entry = try Entry(bytes: stored.bytes)
                guard let shown = wanted.shown(entry, by: users[entry.user] ?? "unknown") else { continue }
                guard try visit(shown) else { return }
            }
        }
    }
}
