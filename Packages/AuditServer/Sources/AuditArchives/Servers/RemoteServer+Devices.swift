import AuditModel
package import EventModel
import Foundation

/// A key of a device, in `daybook devices list`.
package struct DeviceLine: Codable, Hashable, Sendable {
    package let app: String
    package let user: String
    package let publicKey: String
    package let firstSeen: String
    package let lastSeen: String
    package let partitions: UInt64
    package let firstEntry: UInt64
    package let replaced: String?
    /// The time of receipt from which its seals are not believed; nil when they are.
    package var revokedSince: String?
    /// Why.
    package var reason: String?
    /// Whether it was registered; nil when the server does not say, and of its own key.
    package var isRegistered: Bool?
    /// When, by the server's clock.
    package var registered: String?
    /// Whether another user has the same key, as those who sign in on one device have.
    package var isShared: Bool?

    /// What tells it from others.
    package var device: [ExactText] { [ExactText(app), ExactText(user), ExactText(publicKey)] }

    /// The line with what was said of the key.
    package func saying(_ statement: KeyStatementText?) -> DeviceLine {
        var line = self
        line.revokedSince = statement?.revokedSince
        line.reason = statement?.revokedSince == nil ? nil : statement?.reason
        return line
    }

    /// The lines with what devices registered of their keys.
    ///
    /// - Parameters:
    ///   - lines: All keys that have sealed partitions.
    ///   - registrations: All registrations of the server; nil when it knows of none, as one of an earlier version.
    /// - Returns: The lines, in their order.
    package static func lines(_ lines: [DeviceLine], registered registrations: [KeyRegistrationText]?) -> [DeviceLine] {
        let devices = Set(lines.map(\.device) + (registrations ?? []).map(\.device))
        let users = Dictionary(grouping: devices) { $0[2] }
        let times = registrations.map { Dictionary($0.map { ($0.device, $0.registered) }) { first, _ in first } }
        return lines.map { line in
            var line = line
            line.registered = times?[line.device]
            line.isShared = (users[ExactText(line.publicKey)]?.count ?? 0) > 1 ? true : nil
            // The server registers no key of its own.
            if times != nil, line.app != TrailEvent.app { line.isRegistered = line.registered != nil }
            return line
        }
    }

    /// The line of a table.
    package var row: String {
        let state = revokedSince.map { "revoked as of \($0): \(PlainText.cut(reason ?? "", 100))" }
        let cells = [
            publicKey, PlainText.cut(app, 40), PlainText.cut(user, 40),
            partitions == 1 ? "1 partition" : "\(partitions) partitions",
            "\(firstSeen) to \(lastSeen)", replaced.map { "after \($0)" },
            registered.map { "registered \($0)" } ?? (isRegistered == false ? "not registered" : nil),
            isShared == true ? "also of another user" : nil, state,
        ]
        return cells.compactMap(\.self).joined(separator: "  ") + "\n"
    }
}

/// What an administrator said of a key, as a server answers.
package struct KeyStatementText: Decodable, Hashable, Sendable {
    package let app: String
    package let user: String
    package let publicKey: String
    package let revokedSince: String?
    package let reason: String

    /// Whose key it is about.
    package var device: [ExactText] { [ExactText(app), ExactText(user), ExactText(publicKey)] }
}

/// The registration of a key, as a server answers.
package struct KeyRegistrationText: Decodable, Hashable, Sendable {
    package let app: String
    package let user: String
    package let publicKey: String
    package let registered: String
    /// What device and server signed; nil when the server has something else in its place.
    package let registration: String?

    /// Whose key it is about.
    package var device: [ExactText] { [ExactText(app), ExactText(user), ExactText(publicKey)] }
}

extension RemoteServer {
    /// Lists the keys that have sealed partitions.
    ///
    /// - Throws: ``CommandError``.
    package func devices() async throws -> [DeviceLine] {
        var devices: [DeviceLine] = []
        var query: [ExactText: String] = [:]
        repeat {
            let (page, next) = try await get("devices", query)
            devices += try page.split(separator: 0x0A).map { try decode(DeviceLine.self, from: Data($0)) }
            query["after"] = next
        } while query["after"] != nil
        return devices
    }

    /// Lists what was said of keys.
    ///
    /// - Throws: ``CommandError``, also for a token that may not read it.
    package func keyStatements() async throws -> [KeyStatementText] {
        try await list(KeyStatementText.self, "devices/statements")
    }
    /// Lists what devices registered of their keys; nil from a server of an earlier version.
    ///
    /// - Throws: ``CommandError``, also for a token that may not read it.
    package func keyRegistrations() async throws -> [KeyRegistrationText]? {
        do {
            return try await list(KeyRegistrationText.self, "devices/registrations")
        } catch CommandError.refused(status: 404, _) {
            return nil
        }
    }
}
