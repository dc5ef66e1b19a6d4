public import EventModel
import EventProofs

/// Holds what devices registered of their keys against the keys that sealed the partitions of a log.
///
/// A registration that contradicts itself, or what it is listed for, is a problem. A key without one is a remark: devices register when they
/// can, and their seals are as good.
public struct RegisteredDevices: Sendable {
    private struct Device: Hashable {
        let owner: EventOwner
        let publicKey: [UInt8]
    }

    private let serverKeys: [[UInt8]]
    private var registered: Set<Device> = []
    private var sealed: Set<Device> = []
    /// A sentence for every registration that is not what it should be.
    public private(set) var problems: [String] = []

    /// Starts without registrations.
    ///
    /// - Parameter serverKeys: The keys that the server signs receipts with, and did.
    public init(of serverKeys: [[UInt8]]) {
        self.serverKeys = serverKeys
    }

    /// Looks at a registration.
    ///
    /// - Parameters:
    ///   - text: What device and server signed; nil when the server has something else in its place.
    ///   - publicKey: The key that it is listed for.
    ///   - owner: Whom it is listed for.
    public mutating func add(_ text: String?, of publicKey: [UInt8], by owner: EventOwner) {
        let name = "The registration of the key \(Hexadecimal.text(publicKey)) of user \(owner.user)"
        guard let text else {
            problems.append("\(name) is not what was written into the auditors' trail any more.")
            return
        }
        do throws(ProofError) {
            let registration = try DeviceRegistration(Array(text.utf8))
            if registration.claim.owner != owner || registration.claim.publicKey != publicKey {
                problems.append("\(name) is about another key, app or user.")
            } else if !serverKeys.contains(registration.claim.server) {
                problems.append("\(name) is signed with a key that the server does not have and never had.")
            } else {
                registered.insert(Device(owner: owner, publicKey: publicKey))
            }
        } catch {
            problems.append("\(name): \(error)")
        }
    }

    /// Looks at the key that sealed an entry of the log.
    mutating func add(_ entry: PartitionLogEntry) {
        sealed.insert(Device(owner: entry.owner, publicKey: entry.seal.publicKey))
    }

    /// A sentence for what somebody should look at.
    var remarks: [String] {
        var remarks: [String] = []
        let missing = sealed.subtracting(registered)
        if !missing.isEmpty {
            remarks.append(
                "\(missing.count) of the \(sealed.count) keys of devices that sealed partitions are not registered: "
                    + "only the seals and the server say whose they are."
            )
        }
        let users = Dictionary(grouping: registered, by: \.publicKey).filter { $0.value.count > 1 }
        for (key, devices) in users.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            remarks.append(
                "The key \(Hexadecimal.text(key)) is registered for \(devices.count) users: "
                    + "they sign in on one device, or the key was copied."
            )
        }
        return remarks
    }
}
