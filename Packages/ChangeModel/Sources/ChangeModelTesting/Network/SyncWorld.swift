import ChangeModel
import EventModel
import EventModelTesting

/// A server and a few devices with wrong clocks on a bad network, all from one seed.
///
/// Devices write, upload and download at random. The server refuses some operations. After each integration a device is compared with the
/// server's state at its position, and in the end all are compared with each other and with the plain rules.
public struct SyncWorld: Sendable {
    /// What the network carries.
    enum Message: Sendable {
        case upload(file: UInt32, changes: [Change])
        case download(file: UInt32, after: Int)
        case entries(file: UInt32, [Entry])
    }

    let seed: UInt64
    private var work: RandomWork
    private var network: SimulatedNetwork<Message>
    private var server = InMemoryRealmState()
    private var plain = PlainRealm()
    private var entries: [Entry] = []
    /// What the server had at each position.
    private var history: [RealmContents] = [RealmContents()]
    private var devices: [OverlayDevice]
    private let skews: [Int64]
    private var milliseconds: Int64 = 100_000

    /// Creates the world of a seed: two to four devices, some of whose clocks are late, or more ahead than the server tolerates.
    public init(seed: UInt64) { self.init(seed: seed, rules: .all) }

    /// Creates the world of a seed with devices that leave out some of what they should do.
    package init(seed: UInt64, rules: OverlayRules) {
        self.seed = seed
        work = RandomWork(seed: seed)
        network = SimulatedNetwork(seed: seed &+ 1)
        let count = 2 + work.random.below(3)
        devices = (1...count).map { OverlayDevice(file: UInt32($0), rules: rules) }
        var skews: [Int64] = []
        for _ in 0..<count { skews.append([0, 0, -60, 90, 9000][work.random.below(5)]) }
        self.skews = skews
    }

    /// Lets everybody write for so many moments, and then lets everything arrive.
    ///
    /// - Returns: What is wrong, as a sentence; nil if nothing is.
    public mutating func run(moments: Int = 150) -> String? {
        for moment in 0..<moments {
            act()
            if let wrong = pass() { return "moment \(moment): \(wrong)" }
        }
        network.isCalm = true
        // Each calm exchange brings what is pending up and at least one entry down.
        for _ in 0...moments * 10 {
            guard devices.contains(where: { !$0.unconfirmed.isEmpty || $0.position < server.head }) else { break }
            for device in devices { exchange(device) }
            // Twice: what the server answers arrives in the next moment.
            for _ in 0..<2 {
                if let wrong = pass() { return "in the end: \(wrong)" }
            }
        }
        for device in devices where device.contents.withoutNulls != RealmContents(server).withoutNulls {
            return "in the end: file \(device.file) differs from the server"
        }
        if plain.contents != RealmContents(server) { return "in the end: the plain rules differ" }
        return nil
    }

    private mutating func act() {
        milliseconds += Int64(work.random.below(4))
        let index = work.random.below(devices.count)
        guard work.random.below(10) < 4 else { return exchange(devices[index]) }
        devices[index]
            .commit(
                work.operations(on: devices[index].contents),
                wallMilliseconds: milliseconds + skews[index],
                isAtomic: work.random.once(in: 8)
            )
    }

    private mutating func exchange(_ device: OverlayDevice) {
        let pending = device.unconfirmed
        if !pending.isEmpty {
            let count = network.isCalm ? pending.count : 1 + work.random.below(pending.count)
            network.send(
                .upload(file: device.file, changes: Array(pending.prefix(count))),
                device: Int(device.file) - 1
            )
        }
        network.send(.download(file: device.file, after: device.position), device: Int(device.file) - 1)
    }

    private mutating func pass() -> String? {
        for message in network.pass(devices: devices.count) {
            switch message {
            case .upload(let file, let changes): take(changes, of: file)
            case .download(let file, let after):
                let stretch = entries[min(after, entries.count)...].prefix(1 + work.random.below(5))
                network.send(.entries(file: file, Array(stretch)), device: Int(file) - 1)
            case .entries(let file, let stretch):
                if let wrong = integrate(stretch, Int(file) - 1) { return wrong }
            }
        }
        return nil
    }

    /// Takes what has not been taken; a batch that came too early is sent again.
    private mutating func take(_ changes: [Change], of file: UInt32) {
        for change in changes {
            let denied = Set(change.operations.indices.filter { isDenied(file, change.number, $0) })
            let entry: Entry?
            do {
                entry = try server.accept(
                    change,
                    of: file,
                    user: file,
                    received: EventInstant(microseconds: milliseconds * 1000),
                    digest: .sample,
                    refusing: { index, _ in denied.contains(index) ? .noWrite(rule: 1) : nil }
                )
            } catch {
                return
            }
            guard let entry else { continue }
            plain.take(change, of: file, milliseconds: milliseconds, denied: denied)
            entries.append(entry)
            history.append(RealmContents(server))
        }
    }

    private mutating func integrate(_ stretch: [Entry], _ index: Int) -> String? {
        for entry in stretch where devices[index].integrate(entry) {
            let wrong = devices[index].violations(of: history[devices[index].position])
            if let first = wrong.min() { return "\(first), after the entry \(entry)" }
        }
        return nil
    }

    /// Whether the role of a file may not do an operation: one of forty, always the same ones.
    private func isDenied(_ file: UInt32, _ number: Int, _ index: Int) -> Bool {
        var random = SeededGenerator(seed: seed ^ UInt64(file) << 40 ^ UInt64(number) << 8 ^ UInt64(index))
        return random.once(in: 40)
    }
}
