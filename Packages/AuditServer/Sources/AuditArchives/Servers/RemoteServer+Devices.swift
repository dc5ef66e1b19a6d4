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

    /// What tells it from others.
    package var device: [ExactText] { [ExactText(app), ExactText(user), ExactText(publicKey)] }

    /// The line with what was said of the key.
    package func saying(_ statement: KeyStatementText?) -> DeviceLine {
        var line = self
        line.revokedSince = statement?.revokedSince
        line.reason = statement?.revokedSince == nil ? nil : statement?.reason
        return line
    }

    /// The line of a table.
    package var row: String {
        let state = revokedSince.map { "revoked as of \($0): \(PlainText.cut(reason ?? "", 100))" }
        let cells = [
            publicKey, PlainText.cut(app, 40), PlainText.cut(user, 40),
            partitions == 1 ? "1 partition" : "\(partitions) partitions",
            "\(firstSeen) to \(lastSeen)", replaced.map { "after \($0)" }, state,
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
}
