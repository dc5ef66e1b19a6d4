import AuditModel
import EventModel
import GRDB

/// Counts what the events of one walk have in common, by the terms that the index keeps of each event.
struct SummaryWalk {
    private typealias Tally = SearchSummary.Tally

    private let database: Database
    private let entry: PreparedStatement
    private let read: Int64?
    private let write: Int64?
    private var all = Tally()
    private var terms: [SearchTerm.Kind: [Int64: Tally]] = [:]
    private var shelves: [Int64: Tally] = [:]

    init(in database: Database) throws {
        self.database = database
        entry = try PreparedStatement("SELECT shelf, terms FROM Entry WHERE number = ?", in: database)
        func id(_ type: String) throws -> Int64? {
            try Int64.fetchOne(
                database,
                sql: "SELECT id FROM Term WHERE kind = ? AND text = CAST(? AS BLOB)",
                arguments: [SearchTerm.Kind.event.rawValue, type]
            )
        }
        read = try id("read")
        write = try id("write")
    }

    /// Counts the event at a place.
    mutating func add(_ place: SearchCursor) throws {
        entry.reset()
        try entry.bind(place.number, at: 1)
        guard try entry.step(), let shelf = entry.integer(0), let packed = entry.bytes(1) else {
            throw AuditServerError.unavailable(reason: "the search index is damaged")
        }
        var found: [(id: Int64, kind: SearchTerm.Kind)] = []
        var type = SearchSummary.EventType.other
        PackedTerms.visit(packed) { id, kind in
            switch kind {
            case .event:
                if id == read { type = .read } else if id == write { type = .write }
                found.append((id, kind))
            case .activity, .objectClass, .objectKey, .metadata, .boot: found.append((id, kind))
            case .all, .app, .person, .outcome, .partition, .device, .more, .label: break
            }
        }
        for term in found { terms[term.kind, default: [:]][term.id, default: Tally()].add(type, at: place.time) }
        shelves[shelf, default: Tally()].add(type, at: place.time)
        all.add(type, at: place.time)
    }

    /// Returns what was counted.
    ///
    /// - Parameters:
    ///   - limit: How many values of a kind are named.
    ///   - isExact: Whether all events were counted.
    /// - Returns: The counts.
    /// - Throws: What reading the index throws.
    func summary(limit: Int, isExact: Bool) throws -> SearchSummary {
        entry.reset()
        return SearchSummary(
            all: all.events == 0 ? nil : all,
            isExact: isExact,
            accounts: try accounts(limit),
            activities: try parts(.activity, limit),
            types: try parts(.event, limit),
            metadata: try parts(.metadata, limit),
            classes: try parts(.objectClass, limit),
            keys: try parts(.objectKey, limit),
            boots: try parts(.boot, limit)
        )
    }

    private func parts(_ kind: SearchTerm.Kind, _ limit: Int) throws -> SearchSummary.Parts {
        let tallies = terms[kind] ?? [:]
        let statement = try PreparedStatement("SELECT text FROM Term WHERE id = ?", in: database)
        defer { statement.reset() }
        // Of equally many, the id decides, so that an answer is the same every time.
        let most = try tallies.sorted { ($1.value.events, $0.key) < ($0.value.events, $1.key) }.prefix(limit)
            .map { id, tally in
                statement.reset()
                try statement.bind(id, at: 1)
                let text = try statement.step() ? statement.bytes(0) : nil
                return SearchSummary.Part(value: String(decoding: text ?? [], as: UTF8.self), app: nil, tally: tally)
            }
        return SearchSummary.Parts(most: most, count: tallies.count)
    }

    private func accounts(_ limit: Int) throws -> SearchSummary.Parts {
        let statement = try PreparedStatement("SELECT app, account FROM Shelf WHERE id = ?", in: database)
        defer { statement.reset() }
        var accounts: [EventOwner: Tally] = [:]
        for (id, tally) in shelves {
            statement.reset()
            try statement.bind(id, at: 1)
            guard try statement.step(), let app = statement.text(0), let user = statement.text(1) else { continue }
            accounts[EventOwner(app: app, user: user), default: Tally()].add(tally)
        }
        let most = accounts.sorted {
            ($1.value.events, $0.key.app, $0.key.user) < ($0.value.events, $1.key.app, $1.key.user)
        }
        return SearchSummary.Parts(
            most: most.prefix(limit)
                .map { SearchSummary.Part(value: $0.key.user, app: $0.key.app, tally: $0.value) },
            count: accounts.count
        )
    }
}
