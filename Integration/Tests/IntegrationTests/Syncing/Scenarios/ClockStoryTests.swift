import Daybook
import Testing

/// They set the clocks of devices that the others of the suite write with, too, so that one is told after the other.
@MainActor
@Suite("Scenarios on real files: clocks", .withServer, .serialized, .timeLimit(.minutes(10)))
struct ClockStoryTests {
    @Test("S3: at equal times the higher file wins, whoever is heard first")
    func equalTimes() async throws {
        try await Story.tell("S3", is: "b") { story in
            let clocks = [story.devices.clocks[0], story.devices.clocks[1]]
            let moment = clocks[0].nextMiddle()
            for clock in clocks { clock.stand(at: moment) }
            try await story.b { try $0.person().name = "b" }
            try await story.a { try $0.person().name = "a" }
            for clock in clocks { clock.go() }
        } end: {
            try $0.person().name
        }
    }

    /// If a clock is wrong when the server is reached, writes that are closer than a round trip may be ordered either way; these are
    /// ten seconds apart.
    @Test(
        "S12: a clock that is wrong does not decide, whether it is right again when the server is reached or not",
        arguments: [366, -366],
        [true, false]
    )
    func wrongClock(days: Int64, isMendedBefore: Bool) async throws {
        let clocks = try #require(ScenarioServer.devices).clocks
        defer { clocks[0].set(aheadDays: 0) }
        try await Story.tell("S12, \(days) days, \(isMendedBefore)", is: "b a") { realm in
            clocks[0].live(secondsAgo: 60)
            realm.add(ScenarioPerson(1))
        } _: { story in
            clocks[0].set(aheadDays: days)
            clocks[0].live(secondsAgo: 40)
            try await story.a { try $0.person().name = "a" }
            clocks[1].live(secondsAgo: 30)
            try await story.b { try $0.person().name = "b" }
            clocks[1].live(secondsAgo: 20)
            try await story.b { try $0.person().nickname = "b" }
            clocks[0].live(secondsAgo: 10)
            try await story.a { try $0.person().nickname = "a" }
            for clock in clocks { clock.live(secondsAgo: 0) }
            if isMendedBefore { clocks[0].set(aheadDays: 0) }
            try await story.meet()
            clocks[0].set(aheadDays: 0)
        } end: {
            "\(try $0.person().name ?? "") \(try $0.person().nickname)"
        }
    }
}
