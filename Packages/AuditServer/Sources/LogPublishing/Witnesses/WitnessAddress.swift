import EventModel
public import EventProofs

/// Where a witness is asked, and the key that its cosignatures are known by.
///
/// ```swift
/// let witness = try WitnessAddress(url: "https://witness.example/w1", key: NoteVerifierKey(parsing: vkey))
/// ```
public struct WitnessAddress: Sendable, Hashable {
    /// The witness's submission prefix, without a slash at its end; tlog-witness adds `/add-checkpoint`.
    public let url: String
    /// The witness's key, which makes cosignatures.
    public let key: NoteVerifierKey

    /// Names a witness.
    ///
    /// - Parameters:
    ///   - url: Its submission prefix, with `http` or `https`.
    ///   - key: Its key.
    /// - Throws: ``LogPublishingError/unusableWitness(name:reason:)`` when the address is none, or the key does not make cosignatures.
    public init(url: String, key: NoteVerifierKey) throws(LogPublishingError) {
        let plain = url.hasSuffix("/") ? String(url.dropLast()) : url
        guard OutsideAddress.isUsable(plain) else {
            throw .unusableWitness(
                name: key.name.string,
                reason: "its url is one such as https://witness.example/w1, without a query and a user"
            )
        }
        guard key.algorithm == .cosignature else {
            throw .unusableWitness(
                name: key.name.string,
                reason: "its key is that of a log; 'daybook witness show' prints the one that makes cosignatures"
            )
        }
        self.url = plain
        self.key = key
    }

    /// Where checkpoints are sent to.
    var submission: String { "\(url)/add-checkpoint" }
}
