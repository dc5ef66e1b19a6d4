import ChangeModel
import ChangeModelTesting
import EventModel
import EventModelTesting
import SyncTransportTesting
import Testing

@testable import RealmSync

@Suite("Sessions on bad networks", .timeLimit(.minutes(5)))
struct SyncSessionRandomTests {
    /// Everybody is equal in the end, and equal to a new file; and the server has what was posted once and in order.
    ///
    /// Before that, calls are lost, repeated, cut and delayed, sessions suspended and closed, and the floor rises.
    @Test(
        "files of 2 to 4 devices are equal in the end, whatever their networks did",
        arguments: (0..<30).map { _ in UInt64.random(in: 0...UInt64.max) }
    )
    func agreement(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var work = RandomWork(seed: seed)
        let server = InMemoryRealmServer()
        var devices = (0..<2 + random.below(3)).map { _ in SessionFixture(server, lying: Self.smallAnswers) }
        var clocks = devices.map { Self.windClock(of: $0) }
        defer { for clock in clocks { clock.cancel() } }
        var posted = devices.map { _ in [ExactText]() }
        for _ in 0..<60 {
            let index = random.below(devices.count)
            let device = devices[index]
            switch random.below(8) {
            case 0...2:
                var operations = work.operations(on: device.store.contents)
                if random.once(in: 3) {
                    let document = ExactText("\(index)/\(posted[index].count)")
                    posted[index].append(document)
                    operations.append(ChangeOperation(.sample(of: "Reading"), .post(document)))
                }
                device.commit(operations)
            case 3: device.transport.append((0...random.below(4)).map { _ in Self.step(&random) })
            case 4: device.session.resume()
            case 5: device.session.suspend()
            case 6: server.raiseFloor(to: random.below(server.head + 1))
            default:
                guard random.once(in: 3) else {
                    device.session.reconnect()
                    break
                }
                // The program ends and begins again with the same file.
                await device.session.closed()
                #expect(device.place.holderCount == 0, "seed \(seed)")
                clocks[index].cancel()
                devices[index] = SessionFixture(
                    server,
                    store: device.store,
                    place: device.place,
                    ticks: device.ticks,
                    lying: Self.smallAnswers
                )
                clocks[index] = Self.windClock(of: devices[index])
            }
            for _ in 0..<random.below(20) { await Task.yield() }
        }
        for device in devices { device.session.resume() }
        for _ in 0..<2 {
            for device in devices { try await device.settle() }
        }
        let new = SessionFixture(server)
        new.session.resume()
        try await new.settle()

        for (index, posted) in posted.enumerated() {
            let arrived = server.posted.map(\.document).filter { $0.string.hasPrefix("\(index)/") }
            #expect(arrived == posted, "seed \(seed)")
        }
        for device in devices + [new] {
            #expect(device.store.syncState().pendingChanges == 0, "seed \(seed)")
            #expect(device.store.violations(of: server.contents) == [], "seed \(seed)")
            #expect(device.session.state == .active, "seed \(seed)")
        }
    }

    private static func smallAnswers(_ way: FakeChangeTransport) -> any ChangeTransport {
        BentTransport(way: way, limit: 200)
    }

    private static func step(_ random: inout SeededGenerator) -> FakeChangeTransport.Step {
        switch random.below(8) {
        case 0: .fail(.unreachable)
        case 1: .fail(.busy(retryAfterSeconds: 2))
        case 2, 3: .loseAnswer
        case 4: .twice
        case 5: .cut
        case 6: .delay
        default: .honest
        }
    }

    /// Ends each pause of a device, and each delay of its network, as soon as it begins.
    private static func windClock(of device: SessionFixture) -> Task<Void, Never> {
        Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    while await device.sleep.nextPause() != nil { device.sleep.advance(by: .seconds(3600)) }
                }
                group.addTask { for await _ in device.transport.arrivals { device.transport.release() } }
            }
        }
    }
}
