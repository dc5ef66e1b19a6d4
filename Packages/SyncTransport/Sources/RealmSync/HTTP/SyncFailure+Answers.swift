import ChangeModel
import EventModel
import SyncTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a refusal, with the fields of each code.
private struct SyncRefusal: Decodable {
    let code: String
    let message: String?
    var expected: Int?
    var floor: Int?
    var differences: [String]?
}

extension SyncFailure {
    /// How many differences are told, and how many characters of each: the server is not believed to be brief.
    private static let told = (differences: 100, characters: 300)

    /// Reads why the server refused.
    ///
    /// The code of the protocol's own JSON decides, and the status does not. What is no JSON of ours is an answer of somebody else.
    init(_ response: HTTPResponse, of user: User) {
        guard response.status != 200,
            let refusal = try? JSONDecoder().decode(SyncRefusal.self, from: Data(response.body))
        else {
            self = .unreachable
            return
        }
        switch refusal.code {
        case "unauthorized": self = .unauthorized
        case "forbidden": self = .forbidden
        case "historyChanged": self = .historyChanged
        case "fileInUse": self = .fileInUse
        case "conflict": self = .conflict
        case "gap": self = refusal.expected.map { .gap(expected: $0) } ?? .unreachable
        case "tooOld": self = refusal.floor.map { .tooOld(floor: $0) } ?? .unreachable
        case "invalidSchemaChange":
            let sentences = refusal.differences ?? [refusal.message ?? "The server has another schema."]
            self = .invalidSchemaChange(
                sentences.prefix(Self.told.differences).map { String($0.prefix(Self.told.characters)) }
            )
        case "unsupportedVersion": self = .unsupportedVersion
        case "unavailable":
            let pause = user.error(of: response).retryAfter?.components.seconds
            self = .busy(retryAfterSeconds: pause.map { Int(clamping: $0) } ?? 5)
        case "rejected", "tooLarge": self = .refused(String((refusal.message ?? "").prefix(Self.told.characters)))
        default: self = .unreachable
        }
    }
}
