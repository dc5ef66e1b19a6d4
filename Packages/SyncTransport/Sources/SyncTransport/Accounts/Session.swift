/// The tokens of a logged-in user.
struct Session: Sendable, Hashable, Codable {
    /// Authorises uploads; short-lived.
    let accessToken: Secret
    /// Authorises the next session; long-lived.
    let refreshToken: Secret
}

/// The answer to a log-in and to a refresh.
struct SessionAnswer: Sendable, Decodable {
    let userID: String
    let accessToken: Secret
    let refreshToken: Secret

    var session: Session { Session(accessToken: accessToken, refreshToken: refreshToken) }
}
