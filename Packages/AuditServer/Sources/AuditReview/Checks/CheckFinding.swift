package import EventModel

/// What a check looks at, and says one thing of at a time.
package struct CheckSubject: Sendable, Hashable, Codable {
    /// Which check.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// How a sealed partition is there: that it is, its owner, its number of events.
        case holding
        /// What the events of a partition say.
        case events
        /// The list of partitions.
        case partitions
        /// The records of what was erased.
        case erasures
        /// The entries of the log of sealed partitions, each by itself.
        case entries
        /// The log of sealed partitions as a whole.
        case log
        /// The log of sealed partitions as it was published.
        case published
    }

    /// Which check.
    package let kind: Kind
    /// The partition; nil where it is about none.
    package let partition: PartitionID?

    /// Names what is looked at.
    package init(_ kind: Kind, of partition: PartitionID? = nil) {
        self.kind = kind
        self.partition = partition
    }
}

/// Something that is not as it should be.
package struct CheckFinding: Sendable, Hashable, Codable {
    /// The most sentences of one finding; of more, one says that there are more.
    package static let maximumProblems = 5

    /// What it is about.
    package let subject: CheckSubject
    /// The app whose partition it is; nil where it is about none.
    package let app: String?
    /// The user whose partition it is.
    package let user: String?
    /// What is wrong, each a sentence.
    package let problems: [String]
    /// When it was found first.
    package let found: EventInstant

    package init(_ subject: CheckSubject, of owner: EventOwner?, _ problems: [String], found: EventInstant) {
        self.subject = subject
        app = owner?.app
        user = owner?.user
        self.found = found
        let more = problems.count - Self.maximumProblems
        self.problems = problems.prefix(Self.maximumProblems) + (more > 0 ? ["There are \(more) more of these."] : [])
    }

    /// Whose partition it is; nil where it is about none.
    package var owner: EventOwner? {
        guard let app, let user else { return nil }
        return EventOwner(app: app, user: user)
    }
}
