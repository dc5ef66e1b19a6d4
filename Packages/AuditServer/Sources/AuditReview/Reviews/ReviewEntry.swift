package import AuditModel

/// What an event of the auditors' trail says beside who did what: a change of what auditors keep together.
///
/// Views, notes, reviews and alerts are these entries and nothing else, so that each is proven like any other event.
package enum ReviewEntry: Sendable, Hashable {
    /// A view was saved, or changed.
    case view(SavedView)
    /// A view was deleted.
    case viewDeletion(String)
    /// A note was written.
    case note(Note)
    /// A review was planned.
    case review(Review)
    /// A review is done no more.
    case reviewEnd(String)
    /// A review was done.
    case signOff(SignOff)
    /// An alert was raised.
    case alert(Alert)
    /// An alert was acknowledged.
    case acknowledgement(Acknowledgement)
    /// A rule is in force.
    case ruleStart(RuleStart)
    /// The key of a device is not to be believed, or is after all.
    case keyStatement(KeyStatement)
    /// The key of a device was registered.
    case registration(KeyRegistration)

    /// The activities of the events that hold entries.
    package enum Activity: String, CaseIterable {
        case saveView = "save view"
        case deleteView = "delete view"
        case writeNote = "write note"
        case planReview = "plan review"
        case endReview = "end review"
        case signOffReview = "sign off review"
        case raiseAlert = "raise alert"
        case acknowledgeAlert = "acknowledge alert"
        case startRule = "start rule"
        case stateKey = "state device key"
        case registerKey = "register device key"
    }

    /// The activity of the event that holds it.
    package var activity: Activity {
        switch self {
        case .view: .saveView
        case .viewDeletion: .deleteView
        case .note: .writeNote
        case .review: .planReview
        case .reviewEnd: .endReview
        case .signOff: .signOffReview
        case .alert: .raiseAlert
        case .acknowledgement: .acknowledgeAlert
        case .ruleStart: .startRule
        case .keyStatement: .stateKey
        case .registration: .registerKey
        }
    }
}

extension ReviewEntry: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case view, viewDeletion, note, review, reviewEnd, signOff, alert, acknowledgement, ruleStart, keyStatement,
            registration
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<T: Decodable>(_ key: CodingKeys) throws -> T { try container.decode(T.self, forKey: key) }
        switch CodingKeys.allCases.first(where: container.contains) {
        case .view: self = .view(try value(.view))
        case .viewDeletion: self = .viewDeletion(try value(.viewDeletion))
        case .note: self = .note(try value(.note))
        case .review: self = .review(try value(.review))
        case .reviewEnd: self = .reviewEnd(try value(.reviewEnd))
        case .signOff: self = .signOff(try value(.signOff))
        case .alert: self = .alert(try value(.alert))
        case .acknowledgement: self = .acknowledgement(try value(.acknowledgement))
        case .ruleStart: self = .ruleStart(try value(.ruleStart))
        case .keyStatement: self = .keyStatement(try value(.keyStatement))
        case .registration: self = .registration(try value(.registration))
        case nil:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "It is no entry that this version knows.")
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .view(let view): try container.encode(view, forKey: .view)
        case .viewDeletion(let id): try container.encode(id, forKey: .viewDeletion)
        case .note(let note): try container.encode(note, forKey: .note)
        case .review(let review): try container.encode(review, forKey: .review)
        case .reviewEnd(let id): try container.encode(id, forKey: .reviewEnd)
        case .signOff(let signOff): try container.encode(signOff, forKey: .signOff)
        case .alert(let alert): try container.encode(alert, forKey: .alert)
        case .acknowledgement(let acknowledgement): try container.encode(acknowledgement, forKey: .acknowledgement)
        case .ruleStart(let start): try container.encode(start, forKey: .ruleStart)
        case .keyStatement(let statement): try container.encode(statement, forKey: .keyStatement)
        case .registration(let registration): try container.encode(registration, forKey: .registration)
        }
    }
}
