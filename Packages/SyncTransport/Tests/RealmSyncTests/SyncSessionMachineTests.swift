import ChangeModel
import EventModelTesting
import Testing

@testable import RealmSync

@Suite("What a session does when")
struct SyncSessionMachineTests {
    private typealias Machine = SyncSessionMachine

    /// A way into each state, with the number of what counts there.
    private static let ways: [(name: String, inputs: [Machine.Input], number: Int)] = [
        ("suspended", [], 0),
        ("needsUser", [.signOut, .resume], 0),
        ("binding", [.resume], 1),
        ("bootstrapping", [.resume, .connected(1, needsSnapshot: true)], 1),
        ("exchanging", [.resume, .connected(1, needsSnapshot: false)], 1),
        ("pausing", [.resume, ended(1, .unreachable)], 2),
        ("resting", [.resume, ended(1, .busy(seconds: 9))], 2),
        ("failed", [.resume, ended(1, .fatal(Self.failure))], 2),
        ("closed", [.close], 1),
    ]
    private static let failure = SyncError(.forbidden)

    private static func ended(_ number: Int, _ ending: SyncEnding, progress: Bool = false) -> Machine.Input {
        .ended(number, ending, madeProgress: progress, fraction: 0)
    }

    private static func inputs(_ number: Int) -> [(name: String, input: Machine.Input)] {
        [
            ("resume", .resume), ("suspend", .suspend), ("close", .close), ("signIn", .signIn), ("signOut", .signOut),
            ("hurry", .hurry), ("pauseOver", .pauseOver(number)), ("latePause", .pauseOver(number - 1)),
            ("connected", .connected(number, needsSnapshot: false)), ("caughtUp", .caughtUp(number)),
            ("unreachable", ended(number, .unreachable)), ("unauthorized", ended(number, .unauthorized)),
            ("elsewhere", ended(number, .elsewhere)), ("fatal", ended(number, .fatal(failure))),
        ]
    }

    /// What each input does in each state where it does anything: `state input → state effects`.
    private static let table = """
        suspended resume → binding start
        suspended close → closed
        needsUser suspend → suspended
        needsUser close → closed
        needsUser signIn → binding start
        binding suspend → suspended stop
        binding close → closed stop
        binding signOut → needsUser stop
        binding connected → exchanging
        binding unreachable → pausing pause(1)
        binding unauthorized → needsUser report
        binding elsewhere → pausing pause(2)
        binding fatal → failed report
        bootstrapping suspend → suspended stop
        bootstrapping close → closed stop
        bootstrapping signOut → needsUser stop
        bootstrapping caughtUp → exchanging
        bootstrapping unreachable → pausing pause(1)
        bootstrapping unauthorized → needsUser report
        bootstrapping elsewhere → pausing pause(2)
        bootstrapping fatal → failed report
        exchanging suspend → suspended stop
        exchanging close → closed stop
        exchanging signOut → needsUser stop
        exchanging unreachable → pausing pause(1)
        exchanging unauthorized → needsUser report
        exchanging elsewhere → pausing pause(2)
        exchanging fatal → failed report
        pausing suspend → suspended endPause
        pausing close → closed endPause
        pausing signOut → needsUser endPause
        pausing hurry → binding endPause start
        pausing pauseOver → binding start
        resting suspend → suspended endPause
        resting close → closed endPause
        resting signOut → needsUser endPause
        resting pauseOver → binding start
        failed close → closed
        """

    @Test("each input in each state does what the table says, and nothing where it says nothing")
    func everyInputInEveryState() {
        var lines: [String] = []
        for way in Self.ways {
            for (name, input) in Self.inputs(way.number) {
                var machine = Machine()
                for input in way.inputs { _ = machine.take(input) }
                let before = machine.state
                let effects = machine.take(input)
                guard machine.state != before || !effects.isEmpty else { continue }
                lines.append(
                    "\(way.name) \(name) → \(([Self.name(machine.state)] + effects.map(Self.name)).joined(separator: " "))"
                )
            }
        }

        #expect(lines.joined(separator: "\n") == Self.table)
    }

    private static func name(_ state: Machine.State) -> String {
        switch state {
        case .suspended: "suspended"
        case .needsUser: "needsUser"
        case .binding: "binding"
        case .bootstrapping: "bootstrapping"
        case .exchanging: "exchanging"
        case .pausing(let isFixed): isFixed ? "resting" : "pausing"
        case .failed: "failed"
        case .closed: "closed"
        }
    }

    private static func name(_ effect: Machine.Effect) -> String {
        switch effect {
        case .start: "start"
        case .stop: "stop"
        case .pause(_, let duration): "pause(\(duration.components.seconds))"
        case .endPause: "endPause"
        case .report: "report"
        }
    }

    @Test("an exchange that was told to end has the file until it has; only then does the next one begin")
    func oneAtATime() {
        var machine = Machine()
        #expect(machine.take(.resume) == [.start(1)])
        #expect(machine.take(.suspend) == [.stop])
        #expect(machine.take(.resume) == [])
        #expect(machine.state == .binding)
        #expect(machine.take(Self.ended(1, .again)) == [.start(3)])
        #expect(machine.take(.connected(1, needsSnapshot: false)) == [])
        #expect(machine.state == .binding)
        _ = machine.take(.connected(3, needsSnapshot: false))
        #expect(machine.state == .exchanging)
    }

    @Test("pauses double up to five minutes, less up to a quarter, and begin anew when something was exchanged")
    func pauses() {
        var machine = Machine()
        var number = 1
        _ = machine.take(.resume)
        func pause(progress: Bool = false, fraction: Double = 0) -> Duration? {
            let effects = machine.take(.ended(number, .unreachable, madeProgress: progress, fraction: fraction))
            guard case .pause(let pause, let duration) = effects.first else { return nil }
            _ = machine.take(.pauseOver(pause))
            number = pause + 1
            return duration
        }
        let seconds = (0..<10).map { _ in pause()?.components.seconds }

        #expect(seconds == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
        #expect(pause(fraction: 1) == .seconds(225))
        #expect(pause(progress: true) == .seconds(1))
    }

    @Test("a server's pause is as long as it asked for, at least as long as the own one, and an hour at most")
    func rests() {
        func rest(_ seconds: Int) -> [Machine.Effect] {
            var machine = Machine()
            _ = machine.take(.resume)
            return machine.take(Self.ended(1, .busy(seconds: seconds)))
        }

        #expect(rest(40) == [.pause(2, .seconds(40))])
        #expect(rest(0) == [.pause(2, .seconds(1))])
        #expect(rest(.max) == [.pause(2, .seconds(3600))])
    }

    @Test("who signs in, or asks for an attempt, while the last one is failing is not left to wait")
    func meanwhile() {
        var refused = Machine()
        _ = refused.take(.resume)
        _ = refused.take(.signIn)
        #expect(refused.take(Self.ended(1, .unauthorized)) == [.start(2)])
        #expect(refused.take(Self.ended(2, .unauthorized)) == [.report(SyncError(.unauthorized))])

        var cut = Machine()
        _ = cut.take(.resume)
        _ = cut.take(.hurry)
        #expect(cut.take(Self.ended(1, .unreachable)) == [.start(2)])
        #expect(cut.take(Self.ended(2, .unreachable)) == [.pause(3, .seconds(1))])
    }

    @Test("a connection that a proxy ended is no reason to stay away longer")
    func proxies() {
        var machine = Machine()
        _ = machine.take(.resume)
        _ = machine.take(Self.ended(1, .unreachable))
        _ = machine.take(.pauseOver(2))
        _ = machine.take(.connected(3, needsSnapshot: false))

        #expect(machine.take(Self.ended(3, .unreachable)) == [.pause(4, .seconds(1))])
    }

    @Test("an error of the file is told once, and again after something went well")
    func fileErrors() {
        let error = SyncError(.clientInternalError, "Full.")
        var machine = Machine()
        _ = machine.take(.resume)
        #expect(machine.take(Self.ended(1, .file(error))) == [.pause(2, .seconds(1)), .report(error)])
        _ = machine.take(.pauseOver(2))
        #expect(machine.take(Self.ended(3, .file(error))) == [.pause(4, .seconds(2))])
        _ = machine.take(.pauseOver(4))
        #expect(machine.take(Self.ended(5, .file(error), progress: true)) == [.pause(6, .seconds(1)), .report(error)])
    }

    @Test("random inputs never run two exchanges at once, and leave no state without a way out")
    func randomInputs() {
        for seed in 1...400 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var machine = Machine()
            var live: Int?
            var pausing: Int?
            for _ in 0..<200 {
                let number = [live ?? 0, pausing ?? 0].randomElement(using: &random) ?? 0
                let inputs = Self.inputs(number).map(\.input)
                    .filter { input in
                        // Only what is under way ends.
                        if case .ended(let ended, _, _, _) = input { ended == live } else { true }
                    }
                guard let input = inputs.randomElement(using: &random) else { continue }
                if case .close = input, !Int.random(in: 0..<50, using: &random).isMultiple(of: 50) { continue }
                if case .ended = input { live = nil }
                for effect in machine.take(input) {
                    switch effect {
                    case .start(let number):
                        #expect(live == nil, "seed \(seed)")
                        (live, pausing) = (number, nil)
                    case .pause(let number, _): pausing = number
                    case .stop: #expect(live != nil, "seed \(seed)")
                    case .endPause: pausing = nil
                    case .report: break
                    }
                }
                switch machine.state {
                case .binding, .bootstrapping, .exchanging: #expect(live != nil, "seed \(seed)")
                case .pausing: #expect(pausing != nil, "seed \(seed)")
                case .suspended, .needsUser, .failed, .closed: break
                }
            }
        }
    }
}
