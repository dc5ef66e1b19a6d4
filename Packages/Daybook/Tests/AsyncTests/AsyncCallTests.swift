import Daybook
import Testing

/// These run in release, too: there the optimizer removed the way back to the caller's actor (swiftlang/swift#88259).
@Suite("Asynchronous calls that fail return to their caller's actor")
struct AsyncCallTests {
    @Test(
        "the code behind the error runs where it ran before",
        arguments: AsyncCall.all,
        [CallerActor.main, CallerActor.own]
    )
    func failure(call: AsyncCall, caller: CallerActor) async throws {
        for _ in 0..<10 {
            let device = try AsyncDevice()
            let isHome = try await device.run { try await call.body(caller.actor, caller, device) }
            try #require(isHome == true, "nil: nothing failed")
        }
    }

    @Test("opening a realm of the main actor fails on the main actor")
    @MainActor
    func openingOnMainActor() async throws {
        let device = try AsyncDevice()
        do {
            _ = try await Realm(configuration: device.damaged())
            Issue.record("A file that is no realm was opened.")
        } catch {
            #expect(CallerActor.main.isCurrent)
        }
        #expect(try await Realm(configuration: device.recording).objects(Reading.self).isEmpty)
    }
}
