package import ChangeModel
import EventModel
import EventModelTesting

/// A server and a few devices, which do one step after the other.
///
/// The steps come from a ``SyncWorld``, or from one that failed and is made smaller. Whatever is left out of them, they
/// can be done.
package struct SyncRun: Sendable {
    /// What happens next.
    package enum Step: Sendable {
        /// A device commits.
        case commit(device: Int, [ChangeOperation], wallMilliseconds: Int64, isAtomic: Bool)
        /// The server takes what a device has pending, up to a number.
        case upload(device: Int, through: Int, serverMilliseconds: Int64)
        /// A device integrates what the server has, up to a position.
        case download(device: Int, through: Int)
    }

    private let seed: UInt64
    private(set) var server = InMemoryRealmState()
    private(set) var devices: [OverlayDevice]
    private(set) var entries: [Entry] = []
    private var plain = PlainRealm()
    /// What the server had at each position.
    private var history: [RealmContents] = [RealmContents()]

    /// Begins with empty files.
    ///
    /// - Parameters:
    ///   - seed: Says which operations the server refuses.
    ///   - devices: How many devices there are.
    ///   - rules: What the devices do about their pending writes.
    package init(seed: UInt64, devices: Int, rules: OverlayRules) {
        self.seed = seed
        self.devices = (1...devices).map { OverlayDevice(file: UInt32($0), rules: rules) }
    }

    /// Does a step.
    ///
    /// - Returns: What is wrong then, as a sentence; nil if nothing is.
    package mutating func perform(_ step: Step) -> String? {
        switch step {
        case .commit(let device, let operations, let wall, let isAtomic):
            devices[device].commit(operations, wallMilliseconds: wall, isAtomic: isAtomic)
        case .upload(let device, let number, let milliseconds):
            for change in devices[device].unconfirmed where change.number <= number {
                take(change, of: devices[device].file, milliseconds)
            }
        case .download(let device, let position):
            while devices[device].position < min(position, entries.count) {
                let entry = entries[devices[device].position]
                _ = devices[device].integrate(entry)
                if let wrong = devices[device].violations(of: history[entry.number]).min() {
                    return "\(wrong), after the entry \(entry)"
                }
            }
        }
        return nil
    }

    /// Brings everything up and down, and compares everybody.
    package mutating func finish(serverMilliseconds: Int64) -> String? {
        for device in devices.indices {
            let upload = Step.upload(device: device, through: .max, serverMilliseconds: serverMilliseconds)
            if let wrong = perform(upload) { return wrong }
        }
        for device in devices.indices {
            if let wrong = perform(.download(device: device, through: .max)) { return "in the end: \(wrong)" }
            if devices[device].contents.withoutNulls != RealmContents(server).withoutNulls {
                return "in the end: file \(devices[device].file) differs from the server"
            }
        }
        return plain.contents == RealmContents(server) ? nil : "in the end: the plain rules differ"
    }

    /// Takes a change, unless it was taken before.
    private mutating func take(_ change: Change, of file: UInt32, _ milliseconds: Int64) {
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
            preconditionFailure("What a device has pending follows what was taken: \(error)")
        }
        guard let entry else { return }
        plain.take(change, of: file, milliseconds: milliseconds, denied: denied)
        entries.append(entry)
        history.append(RealmContents(server))
    }

    /// Whether the role of a file may not do an operation: one of forty, always the same ones.
    private func isDenied(_ file: UInt32, _ number: Int, _ index: Int) -> Bool {
        var random = SeededGenerator(seed: seed ^ UInt64(file) << 40 ^ UInt64(number) << 8 ^ UInt64(index))
        return random.once(in: 40)
    }
}
