import EventModel
import EventModelTesting
import HTTPTypes

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditModel

/// Who asks: with which token, or with none.
enum Asker: String, CaseIterable {
    case nobody, expired, forged, refreshing
    case owner, neighbour, stranger
    case auditor, wardAuditor, labAuditor, administrator
    case reviewer, wardReviewer, labReviewer

    static let ward = EventOwner(app: "ward-app", user: "0000000000000000000000aa")

    var identity: Identity {
        switch self {
        case .nobody, .expired, .forged, .refreshing, .owner: .uploader(Self.ward)
        case .neighbour: .uploader(EventOwner(app: "ward-app", user: "0000000000000000000000bb"))
        case .stranger: .uploader(EventOwner(app: "lab", user: Self.ward.user))
        case .auditor: .auditor
        case .wardAuditor: .auditor(apps: ["ward-app"])
        case .labAuditor: .auditor(apps: ["lab"])
        case .administrator: .administrator
        case .reviewer: .reviewer
        case .wardReviewer: .reviewer(apps: ["ward-app"])
        case .labReviewer: .reviewer(apps: ["lab"])
        }
    }

    func headers(_ server: TestServer) async throws -> HTTPFields {
        switch self {
        case .nobody: return [:]
        case .refreshing: return try await server.headers(identity, for: .refresh)
        case .forged:
            let issuer = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: server.clock)
            return [.authorization: "Bearer \(try await issuer.issue(identity, for: .access))"]
        case .expired:
            let headers = try await server.headers(identity)
            server.clock.advance(microseconds: Int64(TokenIssuer.accessSeconds) * 1_000_000)
            return headers
        default: return try await server.headers(identity)
        }
    }
}
