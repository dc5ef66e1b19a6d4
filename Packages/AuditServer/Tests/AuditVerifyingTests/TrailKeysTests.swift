import AuditModel
import AuditVerifying
import EventModel
import EventProofs
import Testing

@Suite("The keys of the auditors' trail")
struct TrailKeysTests {
    @Test("a former key seals what arrived before it was followed, and nothing after it")
    func formerKeys() throws {
        let keys = try (1...3).map { try SigningKey([UInt8](repeating: $0, count: 32)) }
        let times = [10, 20].map { EventInstant(microseconds: $0) }
        let history = try KeyHistory(zip(times, 0...).map { try keys[$1].succession(to: keys[$1 + 1], at: $0) })
        let trail = try keys.map { try $0.publicKeys.trail }
        func seals(_ place: Int, _ microseconds: Int64, _ history: KeyHistory, present: Int = 2) -> Bool {
            TrailKeys(present: trail[present], history: history)
                .seals(with: trail[place], at: EventInstant(microseconds: microseconds))
        }

        #expect(seals(0, 10, history) && !seals(0, 11, history))
        #expect(seals(1, 20, history) && !seals(1, 21, history))
        #expect(seals(2, 0, history) && seals(2, 99, history))
        #expect(!seals(0, 5, KeyHistory()) && seals(2, 5, KeyHistory()))
        // Statements that lead to another key say nothing of this one.
        let other = try KeyHistory(Array(history.successions.prefix(1)))
        #expect(!seals(0, 5, other))
    }
}
