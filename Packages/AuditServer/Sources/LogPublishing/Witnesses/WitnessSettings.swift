import EventModel
import EventProofs

/// Which witnesses cosign a log, how many of them are enough, and for how long readers wait for them.
///
/// ```swift
/// let settings = try WitnessSettings([first, second, third], quorum: 2, seconds: 5)
/// ```
public struct WitnessSettings: Sendable, Hashable {
    /// How many witnesses there are at most; the specification wants a note to have room for 16 signatures.
    public static let maximumWitnesses = 15
    /// How long readers may wait: partial tiles of an older checkpoint are gone soon after.
    public static let allowedSeconds = 1...12

    /// The witnesses.
    public let addresses: [WitnessAddress]
    /// How many of them have to cosign a checkpoint before readers are shown it; more than half of them by default.
    public let quorum: Int
    /// After so many seconds without a quorum readers are shown what has none; 5 by default.
    public let seconds: Int

    /// Lists witnesses; without any, nobody is asked.
    ///
    /// - Parameters:
    ///   - addresses: The witnesses, each with a key of its own.
    ///   - quorum: How many are enough; nil, the default, for more than half of them.
    ///   - seconds: For how long readers wait.
    /// - Throws: ``LogPublishingError/unusableWitness(name:reason:)`` when there are too many, two have the same key or name, or the
    ///   quorum or the seconds cannot be.
    public init(
        _ addresses: [WitnessAddress] = [],
        quorum: Int? = nil,
        seconds: Int = 5
    ) throws(LogPublishingError) {
        let names = addresses.map(\.key.name)
        guard addresses.count <= Self.maximumWitnesses else {
            throw .unusableWitness(name: nil, reason: "there are at most \(Self.maximumWitnesses)")
        }
        for (place, address) in addresses.enumerated() {
            // One machine must not count twice.
            guard !names.prefix(place).contains(address.key.name),
                !addresses.prefix(place).contains(where: { $0.key.publicKey == address.key.publicKey })
            else { throw .unusableWitness(name: address.key.name.string, reason: "its name or its key is there twice") }
        }
        let enough = quorum ?? (addresses.isEmpty ? 0 : addresses.count / 2 + 1)
        guard (0...addresses.count).contains(enough) else {
            throw .unusableWitness(name: nil, reason: "the quorum is \(enough) of \(addresses.count) witnesses")
        }
        guard Self.allowedSeconds.contains(seconds) else {
            let (least, most) = (Self.allowedSeconds.lowerBound, Self.allowedSeconds.upperBound)
            throw .unusableWitness(name: nil, reason: "readers wait from \(least) to \(most) seconds")
        }
        self.addresses = addresses
        self.quorum = enough
        self.seconds = seconds
    }

    private init() {
        (addresses, quorum, seconds) = ([], 0, 5)
    }

    /// No witness at all.
    public static let none = WitnessSettings()

    /// States whom the log itself believes.
    ///
    /// - Parameters:
    ///   - log: The log's key.
    ///   - former: Those before it.
    /// - Returns: The policy that a checkpoint has a quorum by.
    /// - Throws: `ProofError.unusablePolicy` when a witness has the log's own key.
    func policy(of log: NoteVerifierKey, _ former: [NoteVerifierKey] = []) throws(ProofError) -> WitnessPolicy {
        try WitnessPolicy(logKeys: [log] + former, witnesses: addresses.map(\.key), quorum: quorum)
    }
}
