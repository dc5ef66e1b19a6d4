import AuditHTTP
import AuditModel

/// Compares what the server has of one life with what the life was promised and what it left in the realm.
struct LifeCheck {
    private let life: Int
    private let stored: [EventLine]
    /// The events of writes and those of the app's own, by the key of an object.
    private var writes: [String: [EventLine]] = [:]
    private var steps: [String: [EventLine]] = [:]

    init(life: Int, stored: [EventLine]) {
        self.life = life
        self.stored = stored
        for event in stored {
            switch event.event {
            case "write": for key in Self.keys(in: event.data ?? "") { writes[key, default: []].append(event) }
            case "step": steps[event.data ?? "", default: []].append(event)
            default: break
            }
        }
    }

    /// The values of `_id` in a payload.
    private static func keys(in data: String) -> [String] {
        data.split(separator: #""_id":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    /// Checks everything.
    ///
    /// - Parameters:
    ///   - promised: The keys of each scope whose commit had returned before the kill.
    ///   - written: The keys that are in the realm.
    /// - Throws: ``AppKillError`` with the first thing that is wrong.
    func check(promised: [[String]], written: Set<String>) throws {
        guard Set(stored.map(\.id)).count == stored.count else { throw error("An event is stored twice") }
        guard !stored.contains(where: \.details.damaged) else { throw error("A stored event is damaged") }
        for scope in promised { try check(promised: scope) }
        for (key, events) in writes where events.count != 1 {
            throw error("The write of \(key) is \(events.count) events")
        }
        for key in written where writes[key] == nil { throw error("\(key) was written and no event tells of it") }
        for key in writes.keys where !written.contains(key) {
            throw error("An event tells of \(key), which is not there")
        }
    }

    private func check(promised scope: [String]) throws {
        for key in scope {
            guard let event = writes[key]?.first else { throw error("The write of \(key) was promised and is lost") }
            guard !event.details.interrupted else {
                throw error("The scope of \(key) was promised and is interrupted")
            }
        }
        guard let first = scope.first, steps[first]?.count == 1 else {
            throw error("A promised step is lost, or twice")
        }
    }

    private func error(_ sentence: String) -> AppKillError { AppKillError("Life \(life): \(sentence).") }
}
