public import TimeStamping

/// Which authority is asked for time-stamps of the log, how often, and by which certificates it is believed.
///
/// ```swift
/// let settings = try TimeStampSettings(url: "https://freetsa.org/tsr", trust: TimeStampTrust(pem: roots))
/// ```
public struct TimeStampSettings: Sendable {
    /// How long the pause between two time-stamps may be, in minutes.
    public static let allowedMinutes = 5...1440
    /// The pause between two time-stamps unless somebody says otherwise, in minutes.
    public static let standardMinutes = 60

    /// Where the authority is asked over HTTP.
    public let url: String
    /// Whose time-stamps are kept.
    public let trust: TimeStampTrust
    /// How many minutes lie between two time-stamps.
    public let minutes: Int

    /// Names an authority.
    ///
    /// - Parameters:
    ///   - url: Where it is asked, with `http` or `https`; some authorities have no other, and need none, as they sign.
    ///   - trust: The certificates that it is believed by.
    ///   - minutes: The pause between two time-stamps.
    /// - Throws: ``LogPublishingError/unusableAuthority(reason:)`` when the address or the pause cannot be.
    public init(url: String, trust: TimeStampTrust, minutes: Int = Self.standardMinutes) throws(LogPublishingError) {
        guard OutsideAddress.isUsable(url, allowsQuery: true) else {
            throw .unusableAuthority(reason: "its url is one such as https://authority.example/tsr, without a user")
        }
        guard Self.allowedMinutes.contains(minutes) else {
            let (least, most) = (Self.allowedMinutes.lowerBound, Self.allowedMinutes.upperBound)
            throw .unusableAuthority(reason: "it is asked every \(least) to \(most) minutes")
        }
        self.url = url
        self.trust = trust
        self.minutes = minutes
    }

    var pauseMicroseconds: Int64 { Int64(minutes) * 60_000_000 }
}
