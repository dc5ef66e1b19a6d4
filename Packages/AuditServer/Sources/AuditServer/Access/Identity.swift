/// Who makes a request, as a token says.
public enum Identity: Sendable, Hashable {
    /// A user of an app, who may upload to partitions of that user.
    case uploader(EventOwner)
    /// Somebody who may read the events of some apps, or of all if none are named, and writes none.
    case auditor(apps: Set<String>?)
    /// Somebody who may add and remove users, extend schemas and issue tokens, and reads no event.
    case administrator

    /// An auditor of all apps.
    public static var auditor: Identity { .auditor(apps: nil) }

    /// The name of the role in tokens and lists.
    public var role: String {
        switch self {
        case .uploader: "uploader"
        case .auditor: "auditor"
        case .administrator: "administrator"
        }
    }

    /// The apps that an auditor is bounded to; nil for everybody else.
    public var apps: Set<String>? {
        switch self {
        case .auditor(let apps): apps
        case .uploader, .administrator: nil
        }
    }
}

extension Identity {
    /// The apps in the form that databases keep: sorted, with spaces between them, which no app id holds.
    package var appList: String? { apps?.sorted().joined(separator: " ") }

    /// Reads what databases keep of whom a token was issued to; nil for what none writes.
    package init?(role: String, appList: String?) {
        switch (role, appList) {
        case ("administrator", nil): self = .administrator
        case ("auditor", nil): self = .auditor
        case ("auditor", .some(let list)): self = .auditor(apps: Set(list.split(separator: " ").map(String.init)))
        default: return nil
        }
    }
}
