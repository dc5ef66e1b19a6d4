public import EventModel

/// Who makes a request, as a token says.
public enum Identity: Sendable, Hashable {
    /// A user of an app, who may upload to partitions of that user.
    case uploader(EventOwner)
    /// Somebody who may read the events of some apps, or of all if none are named, and writes none.
    case auditor(apps: Set<String>?)  // TEXT: apps, which are ASCII, see ServedApps.isAppID.
    /// An auditor who may also see masked values with a reason, sign off reviews and acknowledge alerts.
    case reviewer(apps: Set<String>?)  // TEXT: as above.
    /// Somebody who may add and remove users, extend schemas and issue tokens, and reads no event.
    case administrator

    /// An auditor of all apps.
    public static var auditor: Identity { .auditor(apps: nil) }

    /// A reviewer of all apps.
    public static var reviewer: Identity { .reviewer(apps: nil) }

    /// The name of the role in tokens and lists.
    public var role: String {
        switch self {
        case .uploader: "uploader"
        case .auditor: "auditor"
        case .reviewer: "reviewer"
        case .administrator: "administrator"
        }
    }

    /// The apps that an auditor or a reviewer is bounded to; nil for everybody else.
    public var apps: Set<String>? {  // TEXT: as above.
        switch self {
        case .auditor(let apps), .reviewer(let apps): apps
        case .uploader, .administrator: nil
        }
    }

    /// Whether it is somebody whom the console has pages for.
    package var usesConsole: Bool { readsEvents || self == .administrator }

    /// Whether it is somebody who reads events: an auditor or a reviewer.
    public var readsEvents: Bool {
        switch self {
        case .auditor, .reviewer: true
        case .uploader, .administrator: false
        }
    }
}

extension Identity {
    /// The apps in the form that databases keep: sorted, with spaces between them, which no app id holds.
    package var appList: String? { apps?.sorted().joined(separator: " ") }

    /// Reads what databases keep of whom a token was issued to; nil for what none writes.
    package init?(role: String, appList: String?) {
        let apps = appList.map { Set($0.split(separator: " ").map(String.init)) }
        self.init(role: role, apps: apps)
    }

    /// Describes whom a token may be issued to; nil for another role, and for an administrator of some apps.
    package init?(role: String, apps: Set<String>?) {  // TEXT: as above.
        switch (role, apps) {
        case ("administrator", nil): self = .administrator
        case ("auditor", let apps): self = .auditor(apps: apps)
        case ("reviewer", let apps): self = .reviewer(apps: apps)
        default: return nil
        }
    }
}
