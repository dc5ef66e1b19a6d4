#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which bucket the published log is copied into, by which key, and how often.
///
/// ```swift
/// let settings = try LogBucketSettings(url: "https://s3.example.com", bucket: "our-log", credentials: key)
/// ```
public struct LogBucketSettings: Sendable, Hashable {
    /// How long the pause between two copies may be, in seconds.
    public static let allowedSeconds = 1...3600
    /// The pause between two copies unless somebody says otherwise, in seconds.
    public static let standardSeconds = 10
    /// The region of stores that have none.
    public static let standardRegion = "us-east-1"

    /// How many seconds lie between two copies.
    public let seconds: Int
    /// Whether entries are copied, which name apps, users and partitions; hashes say nothing.
    public let copiesEntries: Bool
    let credentials: BucketCredentials
    let region: String
    let scheme: String
    /// With the bucket in front where it is a part of the name.
    let host: String
    /// With a slash at its end.
    let root: String
    /// What is in front of the names of objects, with a slash at its end; empty for nothing.
    let prefix: String

    /// Names a bucket.
    ///
    /// - Parameters:
    ///   - url: Where the store is, without the bucket; over `https` unless it is this machine.
    ///   - bucket: The name of the bucket.
    ///   - prefix: What is in front of the names of its objects, such as `our-log`; nothing by default.
    ///   - region: The region that requests are signed for.
    ///   - isPathStyle: Whether the bucket's name is the beginning of the path, or that of the host.
    ///   - credentials: The key.
    ///   - seconds: The pause between two copies.
    ///   - copiesEntries: Whether entries are copied as well.
    /// - Throws: ``LogPublishingError/unusableBucket(reason:)`` when one of them cannot be.
    public init(
        url: String,
        bucket: String,
        prefix: String = "",
        region: String = Self.standardRegion,
        isPathStyle: Bool = true,
        credentials: BucketCredentials,
        seconds: Int = Self.standardSeconds,
        copiesEntries: Bool = false
    ) throws(LogPublishingError) {
        guard OutsideAddress.isUsable(url), let parsed = URL(string: url), let name = parsed.host(),
            let scheme = parsed.scheme?.lowercased(), ["", "/"].contains(parsed.path()),
            Self.has(name, only: Self.plain + ":"), parsed.query() == nil
        else {
            throw .unusableBucket(
                reason: "its url is one such as https://s3.example.com, without the bucket and a user"
            )
        }
        guard scheme == "https" || OutsideAddress.isLoopback(name) else {
            throw .unusableBucket(reason: "its url begins with https:// unless it is on this machine")
        }
        let letters = bucket.utf8
        guard (3...63).contains(letters.count), Self.has(bucket, only: "abcdefghijklmnopqrstuvwxyz0123456789-."),
            letters.first != UInt8(ascii: "."), !bucket.contains("..")
        else {
            throw .unusableBucket(reason: "the name of a bucket has 3 to 63 small letters, digits, dashes and dots")
        }
        guard isPathStyle || !bucket.contains(".") else {
            throw .unusableBucket(reason: "a bucket whose name has dots needs pathStyle, for the sake of certificates")
        }
        let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard
            prefix.isEmpty
                || prefix.utf8.count <= 512
                    && parts.allSatisfy({ Self.has($0, only: Self.plain) && !["", ".", ".."].contains($0) })
        else {
            throw .unusableBucket(
                reason:
                    "its prefix is one such as logs/daybook: letters, digits, '-', '_' and '.', and no slash at an end"
            )
        }
        guard (1...64).contains(region.utf8.count), Self.has(region, only: Self.plain) else {
            throw .unusableBucket(reason: "its region is one such as eu-central-1")
        }
        guard Self.allowedSeconds.contains(seconds) else {
            let (least, most) = (Self.allowedSeconds.lowerBound, Self.allowedSeconds.upperBound)
            throw .unusableBucket(reason: "there are \(least) to \(most) seconds between two copies")
        }
        let usual = scheme == "https" ? 443 : 80
        let port = parsed.port.map { $0 == usual ? "" : ":\($0)" } ?? ""
        host = "\(isPathStyle ? "" : "\(bucket).")\(name.contains(":") ? "[\(name)]" : name)\(port)"
        root = isPathStyle ? "/\(bucket)/" : "/"
        self.prefix = prefix.isEmpty ? "" : "\(prefix)/"
        self.scheme = scheme
        self.region = region
        self.credentials = credentials
        self.seconds = seconds
        self.copiesEntries = copiesEntries
    }

    private static let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

    private static func has(_ text: some StringProtocol, only letters: String) -> Bool {
        text.utf8.allSatisfy { letters.utf8.contains($0) }
    }
}
