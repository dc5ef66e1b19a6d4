import AuditModel
import EventModel
import Synchronization

/// What the server counts for supervisors, as text for Prometheus.
///
/// Bounded: labels are routes, methods and statuses of ours, never anything that a client chose. The format is that of
/// Prometheus' text exposition, version 0.0.4.
final class ServerMetrics: ServerCounting {
    /// One kind of answer.
    struct Answer: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    /// The upper bounds of the histogram of times, in seconds.
    static let bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private struct Times {
        var counts = [UInt64](repeating: 0, count: bounds.count)
        var count: UInt64 = 0
        var sum = 0.0

        mutating func add(_ seconds: Double) {
            for (index, bound) in bounds.enumerated() where seconds <= bound { counts[index] += 1 }
            count += 1
            sum += seconds
        }
    }

    private struct Realms {
        var changes: UInt64 = 0
        var bytes: UInt64 = 0
        var entries: UInt64 = 0
        var objects: UInt64 = 0
    }

    private struct State {
        var realms = Realms()
        var answers: [Answer: UInt64] = [:]
        // TEXT: routes, which are ours.
        var times: [String: Times] = [:]
        var storedEvents: UInt64 = 0
        var receivedBytes: UInt64 = 0
        var alerts: [Alert.Kind: UInt64] = [:]
        var refusals: [Refusal: UInt64] = [:]
        var endedSessions: [SessionEnd: UInt64] = [:]
        var refusedRequests: [String: UInt64] = [:]  // TEXT: codes of our own.
    }

    private let state = Mutex(State())

    /// Counts an answer.
    func didAnswer(_ answer: Answer, seconds: Double) {
        state.withLock { state in
            state.answers[answer, default: 0] += 1
            state.times[answer.route, default: Times()].add(seconds)
        }
    }

    /// Counts a stretch that is durable.
    ///
    /// - Parameters:
    ///   - events: How many events it holds, also those that were there before.
    ///   - byteCount: The size of its body.
    func didStore(events: Int, byteCount: Int) {
        state.withLock { state in
            state.storedEvents += UInt64(events)
            state.receivedBytes += UInt64(byteCount)
        }
    }

    /// Counts changes of realms that are durable.
    ///
    /// - Parameters:
    ///   - changes: How many there are, also those that were there before.
    ///   - byteCount: The size of their body.
    func didTake(changes: Int, byteCount: Int) {
        state.withLock { state in
            state.realms.changes += UInt64(changes)
            state.realms.bytes += UInt64(byteCount)
        }
    }

    /// Counts what was sent to readers of realms.
    func didSend(entries: Int = 0, objects: Int = 0) {
        state.withLock { state in
            state.realms.entries += UInt64(entries)
            state.realms.objects += UInt64(objects)
        }
    }

    /// Counts an alert.
    func didRaise(_ kind: Alert.Kind) {
        state.withLock { $0.alerts[kind, default: 0] += 1 }
    }

    /// Counts something that is refused.
    func didRefuse(_ refusal: Refusal) {
        state.withLock { $0.refusals[refusal, default: 0] += 1 }
    }

    /// Counts a request that was refused, by the code of the answer.
    func didRefuseRequest(_ code: String) {
        state.withLock { $0.refusedRequests[code, default: 0] += 1 }
    }

    /// Counts sessions that ended.
    func didEndSessions(_ count: Int, _ end: SessionEnd) {
        state.withLock { $0.endedSessions[end, default: 0] += UInt64(count) }
    }

    /// All counts, as Prometheus reads them.
    ///
    /// - Complexity: O(*n* log *n*) in the kinds of answers that occurred.
    var text: String {
        let (answers, times, events, bytes) = state.withLock {
            ($0.answers, $0.times, $0.storedEvents, $0.receivedBytes)
        }
        var text = Self.head("daybook_requests_total", "counter", "Answers by method, route and status.")
        let sorted = answers.sorted {
            ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
        }
        for (answer, count) in sorted {
            text +=
                #"daybook_requests_total{method="\#(answer.method)",route="\#(answer.route)",status="\#(answer.status)"} \#(count)"#
            text += "\n"
        }
        text += Self.head("daybook_request_seconds", "histogram", "Time to answer by route.")
        for (route, time) in times.sorted(by: { $0.key < $1.key }) {
            for (bound, count) in zip(Self.bounds, time.counts) {
                text += "daybook_request_seconds_bucket{route=\"\(route)\",le=\"\(bound)\"} \(count)\n"
            }
            text += "daybook_request_seconds_bucket{route=\"\(route)\",le=\"+Inf\"} \(time.count)\n"
            text += "daybook_request_seconds_sum{route=\"\(route)\"} \(time.sum)\n"
            text += "daybook_request_seconds_count{route=\"\(route)\"} \(time.count)\n"
        }
        text += Self.head(
            "daybook_events_received_total",
            "counter",
            "Events of stretches that were answered with proof."
        )
        text += "daybook_events_received_total \(events)\n"
        text += Self.head("daybook_event_bytes_received_total", "counter", "Bytes of those stretches.")
        text += "daybook_event_bytes_received_total \(bytes)\n"
        text += realmText
        text += Self.head("daybook_alerts_total", "counter", "Alerts that this server raised, by kind.")
        let (alerts, refusals) = state.withLock { ($0.alerts, $0.refusals) }
        for kind in Alert.Kind.allCases {
            text += "daybook_alerts_total{kind=\"\(kind.rawValue)\"} \(alerts[kind] ?? 0)\n"
        }
        text += Self.head("daybook_refusals_total", "counter", "What was refused by name, see SERVER.md.")
        for refusal in Refusal.allCases {
            text += "daybook_refusals_total{refusal=\"\(refusal.rawValue)\"} \(refusals[refusal] ?? 0)\n"
        }
        text += Self.head("daybook_refused_requests_total", "counter", "Refused requests, by the code of the answer.")
        for (code, count) in state.withLock(\.refusedRequests).sorted(by: { $0.key < $1.key }) {
            text += "daybook_refused_requests_total{code=\"\(code)\"} \(count)\n"
        }
        text += Self.head("daybook_sessions_ended_total", "counter", "Sessions of users that ended, by reason.")
        let sessions = state.withLock(\.endedSessions)
        for end in SessionEnd.allCases {
            text += "daybook_sessions_ended_total{reason=\"\(end.rawValue)\"} \(sessions[end] ?? 0)\n"
        }
        return text
    }

    /// What was counted of realms.
    private var realmText: String {
        let realms = state.withLock(\.realms)
        let counts: [(name: String, help: String, count: UInt64)] = [
            ("daybook_realm_changes_total", "Changes of realms that were answered as durable.", realms.changes),
            ("daybook_realm_change_bytes_total", "Bytes of the bodies that they came in.", realms.bytes),
            ("daybook_realm_entries_sent_total", "Entries that readers of realms were sent.", realms.entries),
            ("daybook_realm_objects_sent_total", "Objects that new devices were sent.", realms.objects),
        ]
        return counts.map { Self.head($0.name, "counter", $0.help) + "\($0.name) \($0.count)\n" }.joined()
    }

    private static func head(_ name: String, _ type: String, _ help: String) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
}
