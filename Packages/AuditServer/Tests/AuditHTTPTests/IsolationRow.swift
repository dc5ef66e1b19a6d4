import HTTPTypes
import Testing

/// A request, and the status that each asker gets who has an access token of this server.
struct IsolationRow: CustomTestStringConvertible, Sendable {
    enum Body: Sendable {
        case none
        case text(String)
        case stretch
        /// What the owner's device claims of its key.
        case claim
    }

    let method: HTTPRequest.Method
    /// The path below `/api/v1`, with `:names` as the routes have them.
    let route: String
    var path: String?
    var body = Body.none
    /// Owner, neighbour and stranger; auditor of all, of the ward and of the lab; administrator.
    let statuses: [Int]
    /// Reviewer of all, of the ward and of the lab, where they get another answer than the auditors.
    var reviewers: [Int]?

    var testDescription: String { "\(method) \(route)" }

    func status(of asker: Asker) throws -> Int {
        let askers: [Asker] = [.owner, .neighbour, .stranger, .auditor, .wardAuditor, .labAuditor, .administrator]
        if let index = [Asker.reviewer, .wardReviewer, .labReviewer].firstIndex(of: asker) {
            return try #require((reviewers ?? Array(statuses.dropFirst(3))).dropFirst(index).first)
        }
        guard let index = askers.firstIndex(of: asker) else { return 401 }
        return try #require(statuses.indices.contains(index) ? statuses[index] : nil)
    }
}
