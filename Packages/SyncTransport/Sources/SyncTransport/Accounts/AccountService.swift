import EventModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks the server for sessions.
struct AccountService: Sendable {
    private struct LoginRequest: Encodable {
        var provider: String
        var key: String?
        var username: String?
        var password: String?
        var token: String?

        init(_ credentials: Credentials) {
            provider = credentials.provider
            switch credentials {
            case .anonymous: break
            case .userAPIKey(let key), .serverAPIKey(let key): self.key = key
            case .emailPassword(let email, let password): (username, self.password) = (email, password)
            case .jwt(let token): self.token = token
            }
        }
    }

    let client: any HTTPClient
    let clock: any EventClock

    func login(app: String, at address: ServerAddress, _ credentials: Credentials) async throws(TransportError)
        -> SessionAnswer
    {
        try await ask(
            HTTPRequest(
                method: .post,
                url: address.login(app: app),
                headers: ["content-type": "application/json"],
                body: encoded(LoginRequest(credentials))
            )
        )
    }

    func refresh(at address: ServerAddress, _ token: Secret) async throws(TransportError) -> SessionAnswer {
        try await ask(
            HTTPRequest(method: .post, url: address.refresh, headers: ["authorization": "Bearer \(token.value)"])
        )
    }

    private func ask(_ request: HTTPRequest) async throws(TransportError) -> SessionAnswer {
        let response: HTTPResponse
        do {
            response = try await client.send(request)
        } catch {
            throw ServerAnswer.unreachable(error)
        }
        let answer = try ServerAnswer.decode(SessionAnswer.self, from: response, now: clock.now().wall)
        guard !answer.userID.isEmpty else {
            throw TransportError(.malformedAnswer, message: "The server's answer names no user.")
        }
        return answer
    }

    private func encoded(_ request: LoginRequest) throws(TransportError) -> [UInt8] {
        do {
            return try Array(JSONEncoder().encode(request))
        } catch {
            throw TransportError(.rejected, message: "The credentials cannot be written as JSON.")
        }
    }
}
