import ChangeModel
import HTTPTypes
import HummingbirdCore
import NIOCore
import SyncServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How the routes of realms refuse: a status, a code that a client decides by, and what it needs beside it.
struct RealmRefusal: Error {
    /// The body, of which each code has the fields that belong to it.
    private struct Body: Encodable {
        let code: String
        let message: String
        var expected: Int?
        var floor: Int?
        var differences: [String]?
        var versions: [Int]?
    }

    /// Another version of the protocol than this server speaks.
    static let unsupportedVersion = RealmRefusal(
        .upgradeRequired,
        Body(
            code: "unsupportedVersion",
            message:
                "The header \(SyncWire.versionHeader) names a version of the protocol; this server speaks the versions listed.",
            versions: [SyncWire.version]
        )
    )

    private let status: HTTPResponse.Status
    private let body: Body
    private let retryAfterSeconds: Int?

    private init(_ status: HTTPResponse.Status, _ body: Body, retryAfterSeconds: Int? = nil) {
        self.status = status
        self.body = body
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// What is counted.
    var code: String { body.code }

    /// Says an error in the words of the protocol; nil for one that is not of realms.
    init?(_ error: any Error) {
        switch error {
        case let refusal as RealmRefusal: self = refusal
        case let error as SyncServerError: self.init(error)
        case let error as ChangeModelError: self.init(error)
        default: return nil
        }
    }

    private init(_ error: SyncServerError) {
        func refusal(_ status: HTTPResponse.Status, _ code: String, retryAfterSeconds: Int? = nil) -> RealmRefusal {
            RealmRefusal(
                status,
                Body(code: code, message: error.description),
                retryAfterSeconds: retryAfterSeconds
            )
        }
        switch error {
        // A realm that is not there has no history that a file could follow.
        case .unknownRealm, .historyChanged, .impossiblePosition: self = refusal(.conflict, "historyChanged")
        case .unknownFile, .fileInUse: self = refusal(.conflict, "fileInUse")
        case .foreignFile: self = refusal(.forbidden, "forbidden")
        case .tooOld(let floor):
            self.init(.gone, Body(code: "tooOld", message: error.description, floor: floor))
        case .gap(let expected):
            self.init(.conflict, Body(code: "gap", message: error.description, expected: expected))
        case .impossibleBase, .conflict, .forged: self = refusal(.conflict, "conflict")
        case .invalidSchemaChange(let differences):
            self.init(
                .unprocessableContent,
                Body(code: "invalidSchemaChange", message: error.description, differences: differences)
            )
        case .entryTooLarge: self = refusal(.contentTooLarge, "tooLarge")
        case .busy(let seconds): self = refusal(.tooManyRequests, "unavailable", retryAfterSeconds: seconds)
        case .unavailable:
            self = refusal(.serviceUnavailable, "unavailable", retryAfterSeconds: AnswerMiddleware.retryAfterSeconds)
        case .empty: self = refusal(.badRequest, "rejected")
        }
    }

    private init(_ error: ChangeModelError) {
        switch error {
        case .tooLarge, .tooMany:
            self.init(.contentTooLarge, Body(code: "tooLarge", message: error.description))
        default: self.init(.badRequest, Body(code: "rejected", message: error.description))
        }
    }

    /// The answer.
    func response() throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        if let retryAfterSeconds { headers[.retryAfter] = "\(retryAfterSeconds)" }
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(body)))
        )
    }
}
