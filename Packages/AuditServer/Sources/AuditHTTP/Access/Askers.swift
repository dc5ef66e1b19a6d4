import AuditAccounts
import AuditModel
import EventModel

// MARK: - Whoever comes

/// Somebody of whom nothing is known.
struct Anyone: Sendable {
    fileprivate init() {}
}

extension Permission where Asker == Anyone {
    /// Anybody, without an access token; a handler that wants another one checks it itself.
    static var anyone: Self { Permission(open: "anyone", Anyone()) }
}

extension Permission where Asker == Identity {
    /// Everybody with a token.
    static var tokenHolder: Self { Permission("tokenHolder") { identity, _ throws(AuditServerError) in identity } }

    /// Whom the console has pages for.
    static var consoleUser: Self {
        Permission("consoleUser") { identity, _ throws(AuditServerError) in
            guard identity.usesConsole else { throw ConsoleSession.notForUploaders }
            return identity
        }
    }
}

// MARK: - Users

extension Permission where Asker == EventOwner {
    /// A user of an app, who alone may write events.
    static var user: Self {
        Permission("user") { identity, _ throws(AuditServerError) in
            guard case .uploader(let owner) = identity else { throw .forbidden(reason: "only a user may write events") }
            return owner
        }
    }
}

extension Permission where Asker == PartitionAsker {
    /// A user, and whoever may read events.
    static var userOrAuditor: Self {
        Permission("userOrAuditor") { identity, apps throws(AuditServerError) in
            if case .uploader(let owner) = identity { return .owner(owner) }
            return .auditor(try EventAccess(of: identity, apps))
        }
    }
}

// MARK: - Who reads

extension Permission where Asker == EventAccess {
    /// An auditor or a reviewer, who may read the events of some apps or of all.
    static var auditor: Self { Permission("auditor", EventAccess.init(of:_:)) }

    /// An auditor or a reviewer from whom nothing is withheld.
    static var unlimitedAuditor: Self {
        Permission("unlimitedAuditor") { identity, apps throws(AuditServerError) in
            let access = try EventAccess(of: identity, apps)
            guard access.isUnlimited else {
                throw .forbidden(reason: "only an auditor who may read everything sees the values of all")
            }
            return access
        }
    }
}

/// Somebody who may review what they may read.
struct Reviewer: Sendable {
    let access: EventAccess

    fileprivate init(access: EventAccess) { self.access = access }
}

extension Permission where Asker == Reviewer {
    /// A reviewer, who may see masked values with a reason, sign off reviews and acknowledge alerts.
    static var reviewer: Self {
        Permission("reviewer") { identity, apps throws(AuditServerError) in
            guard case .reviewer(let names) = identity else { throw .forbidden(reason: "only a reviewer may do this") }
            return Reviewer(access: apps.access(ofAuditorOf: names))
        }
    }
}

extension EventAccess {
    /// What an auditor or a reviewer may read.
    ///
    /// - Throws: `AuditServerError.forbidden(reason:)` for anybody else.
    fileprivate init(of identity: Identity, _ served: ServedApps) throws(AuditServerError) {
        switch identity {
        case .auditor(let apps), .reviewer(let apps): self = served.access(ofAuditorOf: apps)
        case .uploader, .administrator: throw .forbidden(reason: "only an auditor may read")
        }
    }
}

// MARK: - Who runs the server

/// Somebody who may change what the server keeps and whom it knows, and reads no event.
struct Administrator: Sendable {
    fileprivate init() {}
}

extension Permission where Asker == Administrator {
    /// An administrator.
    static var administrator: Self {
        Permission("administrator") { identity, _ throws(AuditServerError) in
            guard identity == .administrator else { throw .forbidden(reason: "only an administrator may do this") }
            return Administrator()
        }
    }
}

/// Somebody who may see which columns an app has.
struct SchemaReader: Sendable {
    private let access: EventAccess

    fileprivate init(_ access: EventAccess) { self.access = access }

    /// Returns whether they may see those of an app.
    func mayRead(_ app: String) -> Bool { access.includes(app: app) }
}

extension Permission where Asker == SchemaReader {
    /// An administrator, and whoever may read events.
    static var administratorOrAuditor: Self {
        Permission("administratorOrAuditor") { identity, apps throws(AuditServerError) in
            SchemaReader(identity == .administrator ? .all : try EventAccess(of: identity, apps))
        }
    }
}

/// Somebody who may see what is held, was erased and expires.
struct KeepingReader: Sendable {
    fileprivate init() {}
}

extension Permission where Asker == KeepingReader {
    /// An administrator, and an auditor or a reviewer of all apps.
    static var keepingReader: Self {
        Permission("keepingReader") { identity, _ throws(AuditServerError) in
            switch identity {
            case .administrator, .auditor(nil), .reviewer(nil): return KeepingReader()
            case .auditor, .reviewer: throw .forbidden(reason: "only an auditor of all apps may read this")
            case .uploader: throw .forbidden(reason: "only an auditor may read")
            }
        }
    }
}

/// Somebody who watches how the server is doing.
struct Supervisor: Sendable {
    fileprivate init() {}
}

extension Permission where Asker == Supervisor {
    /// An administrator, and an auditor or a reviewer of all apps, who may know from the counts how busy people are.
    static var supervisor: Self {
        Permission("supervisor") { identity, _ throws(AuditServerError) in
            switch identity {
            case .auditor(nil), .reviewer(nil), .administrator: return Supervisor()
            case .auditor, .reviewer, .uploader:
                throw .forbidden(reason: "only who watches all apps may read the metrics")
            }
        }
    }
}
