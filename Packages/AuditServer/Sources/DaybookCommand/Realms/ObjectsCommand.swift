import ArgumentParser
import AuditArchives
import AuditModel
import ChangeModel
import EventModel
import SQLiteStore
import SyncServer

/// `daybook objects`: shows the objects of an asymmetric class that devices sent.
struct ObjectsCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "objects",
            abstract: "Shows the objects of an asymmetric class that devices sent.",
            discussion: """
                Such objects go one way: they are in no realm, and no device reads them. The command reads them from the \
                data folder of the server, also while that runs, in the order in which the server took them; so whoever \
                may read that folder sees everything in them.

                  daybook objects WeatherSensor --data /srv/daybook
                  daybook objects WeatherSensor --realm s_ward-7 --json > readings.jsonl

                With --json each line has the app and the realm, the entry and the operation that posted the object, the \
                user, the time, and the object itself as canonical Extended JSON.
                """
        )
    }

    /// How many bytes of documents are in memory at once.
    private static let pageBytes = 4 << 20

    @Argument(help: ArgumentHelp("The stored name of the class.", valueName: "class"))
    var className: String

    @OptionGroup var selected: RealmOptions

    @Option(help: "How many objects at most; all by default.")
    var limit: Int?

    @Flag(help: "Write one JSON object for each object instead of a table.")
    var json = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit needs a number from 1 on.") }
    }

    func run() async throws {
        let store = try selected.store()
        let realms = try await selected.realms(in: store)
        try await requireClass(in: store, of: realms)
        let table = PostedTable()
        var left = limit ?? .max
        if !json { StandardOutput.write(table.header) }
        for realm in realms where left > 0 {
            var place: PostedPlace?
            while left > 0 {
                let page = try await store.posted(
                    ExactText(className),
                    in: realm,
                    after: place,
                    maximumBytes: Self.pageBytes
                )
                guard let last = page.last else { break }
                place = last.place
                let objects = page.prefix(left)
                left -= objects.count
                if json {
                    StandardOutput.write(try EventLine.lines(objects.lazy.map { PostedLine($0, realm) }))
                } else {
                    StandardOutput.write(objects.map { table.row($0, realm) }.joined())
                }
            }
        }
    }

    /// Refuses a class that no app of the realms posts, with those that one does.
    private func requireClass(in store: SQLiteChangeStore, of realms: [RealmName]) async throws {
        var known: Set<ExactText> = []
        for app in Set(realms.map(\.app)) {
            for type in try await store.schema(of: app)?.classes.values ?? [:].values where type.isAsymmetric {
                known.insert(type.name)
            }
        }
        guard !known.contains(ExactText(className)) else { return }
        throw CommandError.missingClass(className, known: known.map(\.string).sorted())
    }
}

/// An object as a line of JSON.
private struct PostedLine: Encodable {
    let app: String
    let realm: String
    let entry: Int
    let operation: Int
    let file: UInt32
    let user: String
    let received: String
    let object: PostedDocument?

    init(_ object: PostedObject, _ realm: RealmName) {
        app = realm.app.string
        self.realm = realm.value.string
        (entry, operation) = (object.place.entry, object.place.operation)
        file = object.file
        user = object.user.string
        received = object.received.description
        self.object = PostedDocument(object.document)
    }
}

/// Objects as rows for people.
private struct PostedTable {
    private static let widths = (time: 19, realm: 16, user: 24)
    private let style = TerminalStyle.standardOutput

    var header: String { style.strong(row("TIME (UTC)", "REALM", "USER", "OBJECT")) + "\n" }

    func row(_ object: PostedObject, _ realm: RealmName) -> String {
        let time = String(object.received.description.prefix(19)).replacing("T", with: " ")
        return row(time, realm.value.string, object.user.string, object.document.string) + "\n"
    }

    private func row(_ time: String, _ realm: String, _ user: String, _ object: String) -> String {
        let cells = [(time, Self.widths.time), (realm, Self.widths.realm), (user, Self.widths.user)]
        let front = cells.map { EventTable.cell($0, $1) }.joined(separator: "  ")
        return "\(front)  \(PlainText.cut(object, max(8, style.width - front.count - 2)))"
    }
}
