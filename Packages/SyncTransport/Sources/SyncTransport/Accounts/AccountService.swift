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
        /// The refresh token of a session of the same user that this one takes the place of.
        var replaces: String?

        init(_ credentials: Credentials, replacing token: Secret?) {
            provider = credentials.provider
            replaces = token?.value
            switch credentials {
            case .anonymous: break
            case .userAPIKey(let key), .serverAPIKey(let key): self.key = key
            case .emailPassword(let email, let password): (username, self.password) = (email, password)
            case .jwt(let token): self.token = token
            }
        }
    }

    /// The answer to a registration.
    private struct Registered: Decodable {
        let userID: String
    }

    /// How long somebody who logs out waits for the server: 5 seconds.
    private static let endingTimeout = Duration.seconds(5)

    let client: any HTTPClient
    let clock: any EventClock

    func login(
        app: String,
        at address: ServerAddress,
        _ credentials: Credentials,
        replacing token: Secret?
    ) async throws(TransportError) -> SessionAnswer {
        try await ask(
            HTTPRequest(
                method: .post,
                url: address.login(app: app),
                headers: ["content-type": "application/json"],
                body: encoded(LoginRequest(credentials, replacing: token))
            )
        )
    }

    /// Registers a user with a password, who does not sign in by that.
    func register(app: String, at address: ServerAddress, email: String, password: String) async throws(TransportError)
    {
        _ = try await ask(
            Registered.self,
            HTTPRequest(
                method: .post,
                url: address.register(app: app),
                headers: ["content-type": "application/json"],
                body: encoded(["email": email, "password": password])
            )
        )
    }

    /// Removes the user whom a token names, for good.
    func remove(at address: ServerAddress, _ token: Secret) async throws(TransportError) {
        let request = HTTPRequest(method: .delete, url: address.me, headers: ["authorization": "Bearer \(token.value)"])
        let response = try await send(request)
        guard response.status == 204 else { throw ServerAnswer.error(response, now: clock.now().wall) }
    }

    /// Ends the session of a refresh token; one that has ended already is no error.
    func end(at address: ServerAddress, _ token: Secret) async throws(TransportError) {
        let request = HTTPRequest(
            method: .delete,
            url: address.session,
            headers: ["authorization": "Bearer \(token.value)"],
            timeout: Self.endingTimeout
        )
        let response = try await send(request)
        guard [204, 401].contains(response.status) else { throw ServerAnswer.error(response, now: clock.now().wall) }
    }

    func refresh(at address: ServerAddress, _ token: Secret) async throws(TransportError) -> SessionAnswer {
        try await ask(
            HTTPRequest(method: .post, url: address.refresh, headers: ["authorization": "Bearer \(token.value)"])
        )
    }

    private func ask(_ request: HTTPRequest) async throws(TransportError) -> SessionAnswer {
        let answer = try await ask(SessionAnswer.self, request)
        guard !answer.userID.isEmpty else {
            throw TransportError(.malformedAnswer, message: "The server's answer names no user.")
        }
        return answer
    }

    private func ask<Answer: Decodable>(
        _ type: Answer.Type,
        _ request: HTTPRequest
    ) async throws(TransportError) -> Answer {
        try await ServerAnswer.decode(type, from: send(request), now: clock.now().wall)
    }

    private func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        do {
            return try await client.send(request)
        } catch {
            throw ServerAnswer.unreachable(error)
        }
    }

    private func encoded(_ request: some Encodable) throws(TransportError) -> [UInt8] {
        do {
            return try Array(JSONEncoder().encode(request))
        } catch {
            throw TransportError(.rejected, message: "The credentials cannot be written as JSON.")
        }
    }
}
