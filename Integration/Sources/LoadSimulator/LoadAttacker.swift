import AuditServerTesting
import Daybook

/// Somebody who means harm, beside the devices: what they send is refused each time, and no device notices.
struct LoadAttacker: Sendable {
    /// What somebody tries.
    private enum Attack: CaseIterable {
        case guessedPassword, stolenToken, foreignPage, madeUpPlace
    }

    /// The tokens that a sign-in or a renewal gives.
    private struct Tokens: Decodable {
        let accessToken: String
        let refreshToken: String
    }

    private let client: LoopbackClient
    private let counts: LoadCounts
    private let auditor: String
    private let base: String

    /// Prepares to attack a server.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - counts: What was tried is counted here, and what the server let pass is a problem.
    /// - Throws: What reading the auditor's token throws.
    init(server: ServerProcess, counts: LoadCounts) throws {
        client = LoopbackClient(port: server.port)
        self.counts = counts
        auditor = try server.auditorToken()
        base = "\(server.url)/api/v1"
    }

    /// Attacks until the time is over, or so many rounds are.
    ///
    /// - Throws: What the connection throws.
    func run(until end: ContinuousClock.Instant, rounds: Int) async throws {
        var round = 0
        while round < rounds, ContinuousClock.now < end {
            round += 1
            for attack in Attack.allCases { try await perform(attack, round) }
        }
        await client.close()
    }

    private func perform(_ attack: Attack, _ round: Int) async throws {
        switch attack {
        case .guessedPassword:
            counts.did(.guessedPassword)
            let guess = #"{"provider":"local-userpass","username":"nurse@load.example","password":"guess \#(round)"}"#
            try await expect([401, 429, 503], .post, "apps/load/login", body: guess)
        case .stolenToken:
            counts.did(.stolenToken)
            try await stealToken()
        case .foreignPage:
            counts.did(.foreignPage)
            let headers = ["origin": "http://elsewhere.example"]
            try await expect([403], .post, "console/session", headers, body: #"{"token":"\#(auditor)"}"#)
        case .madeUpPlace:
            counts.did(.madeUpPlace)
            let headers = ["authorization": "Bearer \(auditor)"]
            for path in ["search?after=9.9", "search/new?last=0", "events/new?after=0", "devices?after=0"] {
                try await expect([400, 429], .get, path, headers)
            }
        }
    }

    /// Uses a refresh token that its device has used twice over, which ends the session for both.
    private func stealToken() async throws {
        guard let first = try await tokens("apps/load/login", body: #"{"provider":"anon-user"}"#),
            let second = try await tokens("token/refresh", with: first.refreshToken),
            let third = try await tokens("token/refresh", with: second.refreshToken)
        else { return counts.report("somebody who was not attacked yet could not sign in or renew") }
        try await expect([401], .post, "token/refresh", ["authorization": "Bearer \(first.refreshToken)"])
        try await expect([401], .post, "token/refresh", ["authorization": "Bearer \(third.refreshToken)"])
        try await expect([401], .delete, "users/me", ["authorization": "Bearer \(third.accessToken)"])
    }

    private func tokens(_ path: String, with token: String? = nil, body: String = "") async throws -> Tokens? {
        let headers = token.map { ["authorization": "Bearer \($0)"] } ?? [:]
        let answer = try await send(.post, path, headers, body)
        guard answer.status == 200 else { return nil }
        return try JSONDecoder().decode(Tokens.self, from: Data(answer.body))
    }

    private func expect(
        _ statuses: Set<Int>,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: [String: String] = [:],
        body: String = ""
    ) async throws {
        let answer = try await send(method, path, headers, body)
        if !statuses.contains(answer.status) {
            counts.report("an attack on \(path.prefix { $0 != "?" }) was answered with status \(answer.status)")
        }
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: [String: String],
        _ body: String
    ) async throws -> HTTPResponse {
        let type = ["content-type": "application/json"].merging(headers) { $1 }
        return try await client.send(
            HTTPRequest(method: method, url: "\(base)/\(path)", headers: type, body: Array(body.utf8))
        )
    }
}
