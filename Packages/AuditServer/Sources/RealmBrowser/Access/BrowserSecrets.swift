import EventModel

/// What proves that a request comes from whoever started the command: a token in the address, and a cookie for what pages load.
///
/// A browser sends the cookies of one port to every other port of the machine, so the cookie alone opens nothing of the file: it is
/// for scripts and styles, which have no header of their own. Data need the token in a header, which only pages of this very port know.
struct BrowserSecrets: Sendable {
    /// How many bytes of chance each has.
    private static let length = 32

    /// What the address brings, and then each question for data.
    let token: String
    /// What scripts and styles are loaded with.
    let cookie: String

    /// Makes new ones.
    init(using generator: inout some RandomNumberGenerator) {
        token = Self.text(&generator)
        cookie = Self.text(&generator)
    }

    private static func text(_ generator: inout some RandomNumberGenerator) -> String {
        Hexadecimal.text((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Compares two texts in a time that says nothing of how much of them is the same.
    static func isEqual(_ given: some StringProtocol, _ secret: String) -> Bool {
        let (given, secret) = (Array(given.utf8), Array(secret.utf8))
        guard given.count == secret.count else { return false }
        return zip(given, secret).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
