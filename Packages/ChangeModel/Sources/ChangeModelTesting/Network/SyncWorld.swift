import ChangeModel
import EventModel
import EventModelTesting

/// A server and a few devices with wrong clocks on a bad network, all from one seed.
///
/// Devices write, upload and download at random. The server refuses some operations. After each integration a device is
/// compared with the server's state at its position, and in the end all are compared with each other and with the plain
/// rules. What failed is a ``SyncTrace``, which can be made smaller and printed.
public struct SyncWorld: Sendable {
    /// What the network carries.
    private enum Message: Sendable {
        case upload(device: Int, through: Int)
        case poll(device: Int, after: Int)
        case entries(device: Int, after: Int, through: Int)
    }

    /// What happened so far.
    public private(set) var trace: SyncTrace
    private var run: SyncRun
    private var work: RandomWork
    private var network: SimulatedNetwork<Message>
    private let skews: [Int64]
    private var milliseconds: Int64 = 100_000

    /// Creates the world of a seed: two to four devices, some of whose clocks are late, or more ahead than the server
    /// tolerates.
    public init(seed: UInt64) { self.init(seed: seed, rules: .all) }

    /// Creates the world of a seed with devices that leave out some of what they should do.
    package init(seed: UInt64, rules: OverlayRules) {
        work = RandomWork(seed: seed)
        network = SimulatedNetwork(seed: seed &+ 1)
        let count = 2 + work.random.below(3)
        var skews: [Int64] = []
        for _ in 0..<count { skews.append([0, 0, -60, 90, 9000][work.random.below(5)]) }
        self.skews = skews
        trace = SyncTrace(seed: seed, devices: count, rules: rules)
        run = SyncRun(seed: seed, devices: count, rules: rules)
    }

    /// Lets everybody write for so many moments, and then lets everything arrive.
    ///
    /// - Returns: What is wrong, as a sentence; nil if nothing is.
    public mutating func live(moments: Int = 150) -> String? {
        for _ in 0..<moments {
            if let wrong = act() ?? arrive() { return wrong }
        }
        return run.finish(serverMilliseconds: milliseconds)
    }

    /// One device commits, or asks the network for an exchange.
    private mutating func act() -> String? {
        milliseconds += Int64(work.random.below(4))
        let device = work.random.below(run.devices.count)
        guard work.random.below(10) < 4 else {
            if let last = run.devices[device].unconfirmed.randomElement(using: &work.random) {
                network.send(.upload(device: device, through: last.number), device: device)
            }
            network.send(.poll(device: device, after: run.devices[device].position), device: device)
            return nil
        }
        let operations = work.operations(on: run.devices[device].contents)
        let wall = milliseconds + skews[device]
        return perform(
            .commit(device: device, operations, wallMilliseconds: wall, isAtomic: work.random.once(in: 8))
        )
    }

    private mutating func arrive() -> String? {
        for message in network.pass(devices: run.devices.count) {
            switch message {
            case .upload(let device, let number):
                let step = SyncRun.Step.upload(device: device, through: number, serverMilliseconds: milliseconds)
                if let wrong = perform(step) { return wrong }
            case .poll(let device, let after):
                let through = after + 1 + work.random.below(5)
                network.send(.entries(device: device, after: after, through: through), device: device)
            case .entries(let device, let after, let through):
                // What begins behind a gap is passed over; what was seen before is, too.
                guard after <= run.devices[device].position else { continue }
                if let wrong = perform(.download(device: device, through: through)) { return wrong }
            }
        }
        return nil
    }

    private mutating func perform(_ step: SyncRun.Step) -> String? {
        trace.steps.append(step)
        return run.perform(step)
    }
}
