import Crypto
package import EventModel

/// Something that a reviewer is to look at.
package struct Alert: Sendable, Hashable, Codable {
    /// Why it was raised.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Somebody worked while the app's hours were over.
        case afterHours
        /// Somebody read very much in a short time.
        case massRead
        /// An emergency access was used.
        case breakGlass
        /// A record on a list was read or changed.
        case namedRecord
        /// A partition is missing between two others.
        case gap
        /// A device says that it lost events.
        case loss
        /// An event has the id of another one of the same user.
        case conflict
        /// A partition was sealed with the key of a device that was revoked.
        case revokedKey
        /// What is stored is not what was received.
        case verifyFailure
        /// A review was not done in time.
        case overdueReview
        /// More events have expired than may go in a day without somebody's word.
        case retention
        /// The server's clock is not where it should be.
        case clock
        /// A user or an app has used up what it may bring.
        case quota
        /// A rule raised so many alerts in a day that no more are raised.
        case manyAlerts
    }

    /// The id, 32 hexadecimal digits, made of the rule, the subject and the time: the same thing never has two.
    package let id: String
    /// The name of the rule.
    package let rule: String
    /// Why it was raised.
    package let kind: Kind
    /// The app; nil when it is about the whole server.
    package let app: String?
    /// The account.
    package let user: String?
    /// The person, as far as the app recorded one.
    package var person: String?
    /// The partition of the event that raised it.
    package var partition: PartitionID?
    /// The place of that event; nil when it is about the whole partition.
    package var sequence: UInt64?
    /// The class of the object that it is about.
    package var objectClass: String?
    /// The key of that object.
    package var key: String?
    /// The review that it is about.
    package var review: String?
    /// How many objects or events there are.
    package var count: UInt64?
    /// When it began: of events, by the device's clock.
    package let from: EventInstant
    /// When it ended.
    package let through: EventInstant
    /// What was found, in words without anybody's data.
    package var detail: String?

    /// Creates an alert.
    ///
    /// - Parameters:
    ///   - rule: The name of the rule.
    ///   - kind: Why it was raised.
    ///   - owner: Whose events it is about.
    ///   - subject: What tells it apart from others of the rule.
    ///   - from: When it began.
    ///   - through: When it ended.
    package init(
        rule: String,
        _ kind: Kind,
        of owner: EventOwner?,
        subject: [String],
        from: EventInstant,
        through: EventInstant
    ) {
        id = Self.id([rule, kind.rawValue, owner?.app ?? "", owner?.user ?? ""] + subject)
        self.rule = rule
        self.kind = kind
        app = owner?.app
        user = owner?.user
        self.from = from
        self.through = through
    }

    /// Where the event lies that raised it; nil when it is about more than one.
    package var place: EventAddress? {
        guard let partition, let sequence else { return nil }
        return EventAddress(partition: partition, sequence: sequence)
    }

    /// Makes an id of texts, each with its length, so that no two lists of texts are one.
    private static func id(_ texts: [String]) -> String {
        var hash = SHA256()
        for text in texts {
            let bytes = Array(text.utf8)
            withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: bytes)
        }
        return Hexadecimal.text(Array(hash.finalize().prefix(16)))
    }

    /// Returns whether a text can be an id.
    package static func isID(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Returns whether somebody may know of it.
    ///
    /// What counts events of several partitions is shown to those alone who may read all of the app.
    package func isVisible(to access: EventAccess) -> Bool {
        guard let app, let user else { return access.isUnlimited }
        guard let partition, kind != .massRead, kind != .manyAlerts else { return access.includesAll(of: app) }
        return access.includes(partition, of: EventOwner(app: app, user: user))
    }
}

/// The record that a reviewer has looked at an alert.
package struct Acknowledgement: Sendable, Hashable, Codable {
    /// The alert.
    package let alert: String
    /// What the reviewer says to it.
    package let reason: String
    /// Who acknowledged it.
    package let author: Author

    package init(alert: String, reason: String, author: Author) {
        self.alert = alert
        self.reason = reason
        self.author = author
    }
}

/// The record that a rule of the configuration is in force.
package struct RuleStart: Sendable, Hashable, Codable {
    /// The name of the rule.
    package let rule: String
    /// The first time of receipt that it is for.
    package let since: EventInstant

    package init(rule: String, since: EventInstant) {
        self.rule = rule
        self.since = since
    }
}
