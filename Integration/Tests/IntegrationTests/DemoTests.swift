import Foundation
import Testing
import Ward

@Suite("The demo's way from login to proof", .serialized)
struct DemoTests {
    /// What a nurse does in a shift and has not thought better of.
    private static let activities: Set = [
        "signed in", "show ward list", "review ward list", "show chart", "open chart", "review vitals",
        "pressed Enter vital sign", "enter vital sign", "correct vital sign", "pressed Save",
        "remove mistaken vital sign", "show hand-over", "hand-over", "medication check", "signed off",
    ]

    @Test("every count is the same, nothing is left on the device, and a second run adds a second shift")
    func twoRuns() throws {
        let ward = try WardUnderTest()
        defer { ward.end() }

        let first = try ward.replay()
        #expect(first.code == 0, "\(first.errors)")
        let one = try ward.summary()
        let afterOne = try ward.storedEvents()
        let second = try ward.replay()
        #expect(second.code == 0, "\(second.errors)")
        let two = try ward.summary()
        let afterTwo = try ward.storedEvents()

        #expect(one.patients == 3)
        #expect(one.observations == 18)
        #expect(one.recorded > 100)
        #expect([one.persisted, one.uploaded, UInt64(afterOne.count)] == [one.recorded, one.recorded, one.recorded])
        #expect([two.persisted, two.uploaded] == [two.recorded, two.recorded])
        #expect(UInt64(afterTwo.count) == one.recorded + two.recorded)
        #expect(Set(afterTwo.map(\.id)).count == afterTwo.count)
        #expect(Set(afterTwo.map { $0.step.prefix(2) }) == ["1/", "2/"])
        for shift in ["1/", "2/"] {
            let recorded = afterTwo.filter { $0.step.hasPrefix(shift) }.map(\.activity)
            #expect(Set(recorded) == Self.activities, "each step of shift \(shift) leaves an event, and a glance none")
        }
        #expect(ward.remainingEventFiles() == [])
        let verification = try ward.verify()
        #expect(verification.code == 0)
        // The third partition is the server's own record of who listed the events, which grows with each look.
        #expect(verification.lines.last?.hasSuffix(" events, 3 partitions verified") == true)
    }

    @Test(
        "a second device signs what the ward corrects while it works, both are recorded, and hold the same in the end"
    )
    func secondDevice() throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let second = try ward.startSecond()

        let first = try ward.replay()
        let lines = second.remainingLines()
        let result = second.wait()
        let comparison = try ward.compare()

        #expect(first.code == 0, "\(first.errors)")
        #expect(result.code == 0, "\(result.errors)")
        #expect(comparison.code == 0, "\(comparison.lines)")
        #expect(comparison.found.differences == [])
        #expect(
            lines.contains { $0.hasPrefix("12 corrections were signed; 12 came while the ward worked") },
            "\(lines)"
        )
        let stored = try ward.storedEvents()
        for step in ["correct vital sign", "review correction"] {
            #expect(Set(stored.filter { $0.activity == step }.map(\.step)).count == 12, "\(step)")
        }
        let devices = ClientSummary([try ward.summary(), try ward.secondSummary()])
        #expect(devices.recorded == devices.uploaded)
        #expect(stored.count == Int(devices.recorded))
        #expect(try ward.verify().code == 0)
    }

    @Test("a server that is killed in the middle is waited for, and has every event in the end")
    func outage() throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let client = try ward.startReplay()

        while let line = client.nextLine(), !line.hasPrefix("Shift 1, Michael Okafor: 2") {}
        ward.killServer()
        while let line = client.nextLine(), !line.hasPrefix("Uploading") {}
        try ward.restartServer()
        _ = client.remainingLines()
        let result = client.wait()

        #expect(result.code == 0, "\(result.errors)")
        let summary = try ward.summary()
        #expect(summary.recorded == summary.uploaded)
        #expect(try ward.storedEvents().count == Int(summary.recorded))
        #expect(try ward.verify().code == 0)
        #expect(ward.remainingEventFiles() == [])
    }

    @Test("a damaged event file is reported and kept, and everything else goes on")
    func damage() throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let client = try ward.startReplay()
        while let line = client.nextLine(), !line.hasPrefix("Shift 1, Anna Keller: 0") {}
        ward.killServer()
        while let line = client.nextLine(), !line.hasPrefix("Shift 1: every event is on the disk") {}
        client.kill()

        try ward.damageEventFile()
        try ward.restartServer()
        let result = try ward.replay()

        #expect(result.code == 1)
        #expect(result.errors.contains("damaged"))
        #expect(result.errors.contains("daybook verify --files"))
        let summary = try ward.summary()
        #expect(summary.recorded == summary.uploaded)
        #expect(summary.keptAside.count == 1)
        let steps = Set(try ward.storedEvents().map(\.step))
        #expect(steps.contains { $0.hasPrefix("1/") })
        #expect(steps.contains { $0.hasPrefix("2/") })
        #expect(try ward.verify().code == 0)
    }

    @Test("a byte that somebody changes in the server's database is found and named")
    func tampering() throws {
        let ward = try WardUnderTest()
        defer { ward.end() }
        let result = try ward.replay()
        #expect(result.code == 0, "\(result.errors)")

        try ward.tamper()
        let verification = try ward.verify()

        #expect(verification.code == 1)
        #expect(verification.lines.contains { $0.contains("sequence 1") || $0.contains("event 1") })
        #expect(verification.lines.last?.hasSuffix("found") == true)
    }
}
