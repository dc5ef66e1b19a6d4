public import EventModel

/// A device's statement that a key is its own, under the account that it is signed in with; the first half of a ``DeviceRegistration``.
///
/// ```
/// daybook device key v1
/// server <the server's key of receipts>
/// app <the id of the app>
/// user <the id of the user>
/// key <the device's public key>
/// at 2026-11-28T18:00:00.000000Z
/// signed <the device's signature>
/// ```
///
/// Keys and the signature are hexadecimal digits; how the key signs is told by its length, as ``DeviceKeyAlgorithm`` says. The signature is
/// over the lines before it, with the letters `DAYKREG1` and their length in front, so that no seal and no other statement of a device can
/// be taken for it. A claim has one form alone: read and written again it has the same bytes.
public struct DeviceKeyClaim: Sendable, Hashable {
    /// How many bytes a claim may have.
    public static let maximumBytes = 4096

    private static let title = "daybook device key v1"

    /// The server's key of receipts that the device knew: for this server alone the claim is made.
    public let server: [UInt8]
    /// The app and the user.
    public let owner: EventOwner
    /// The public key of the device.
    public let publicKey: [UInt8]
    /// When it was made, by the device's wall clock.
    public let time: EventInstant
    /// The device's signature, 64 bytes.
    public let signature: [UInt8]

    private init(_ lines: Lines, signature: [UInt8]) {
        server = lines.server
        owner = lines.owner
        publicKey = lines.publicKey
        time = lines.time
        self.signature = signature
    }

    /// Makes a claim.
    ///
    /// - Parameters:
    ///   - key: The key of the device.
    ///   - owner: The app and the user that the device is signed in as.
    ///   - server: The server's key of receipts.
    ///   - time: When.
    /// - Throws: ``ProofError/malformedRegistration(reason:)`` for an app or a user that is no line; whatever the system's cryptography throws
    ///   when it cannot sign.
    public init(of key: DeviceKey, for owner: EventOwner, to server: [UInt8], at time: EventInstant) throws {
        let lines = Lines(server: server, owner: owner, publicKey: key.publicKey, time: time)
        let claim = DeviceKeyClaim(lines, signature: try key.sign(lines.statement))
        self = try DeviceKeyClaim(Array(claim.text.utf8))
    }

    /// Reads a claim and verifies its signature.
    ///
    /// Whether it is about the right server, app and user is for the caller to compare.
    ///
    /// - Parameter bytes: The whole claim, at most ``maximumBytes``.
    /// - Throws: ``ProofError/malformedRegistration(reason:)`` when it has another form, or its key did not sign it.
    public init(_ bytes: [UInt8]) throws(ProofError) {
        guard bytes.count <= Self.maximumBytes else {
            throw .malformedRegistration(reason: "it has more than \(Self.maximumBytes) bytes")
        }
        guard String(validating: bytes, as: UTF8.self) != nil, NoteText.isPlain(bytes) else {
            throw .malformedRegistration(reason: "it is not plain text in UTF-8")
        }
        let words = ["", "server ", "app ", "user ", "key ", "at ", "signed "]
        guard let lines = NoteText.lines(bytes), lines.count == words.count, lines[0].elementsEqual(Self.title.utf8)
        else { throw Self.otherLines }
        var values: [String] = []
        for (line, word) in zip(lines, words) {
            guard let value = NoteText.value(of: word, in: line), !value.isEmpty else { throw Self.otherLines }
            values.append(String(decoding: value, as: UTF8.self))
        }
        guard let server = Hexadecimal.bytes(values[1]), server.count == 32,
            let key = Hexadecimal.bytes(values[4]), let time = EventInstant(values[5]),
            let signature = Hexadecimal.bytes(values[6])
        else { throw Self.otherLines }
        let owner = EventOwner(app: values[2], user: values[3])
        let parts = Lines(server: server, owner: owner, publicKey: key, time: time)
        self.init(parts, signature: signature)
        guard text.utf8.elementsEqual(bytes) else { throw Self.otherLines }
        guard DeviceSignature.isValid(signature, for: parts.statement, by: key) else {
            throw .malformedRegistration(reason: "the key \(values[4]) did not sign it")
        }
    }

    /// The claim as it is sent.
    public var text: String {
        let lines = Lines(server: server, owner: owner, publicKey: publicKey, time: time)
        return lines.text + "signed \(Hexadecimal.text(signature))\n"
    }

    private static var otherLines: ProofError {
        .malformedRegistration(
            reason: "it has not the lines of a claim: a title, server, app, user, key, at and signed"
        )
    }

    /// What the device signs.
    private struct Lines {
        let server: [UInt8]
        let owner: EventOwner
        let publicKey: [UInt8]
        let time: EventInstant

        var text: String {
            """
            \(DeviceKeyClaim.title)
            server \(Hexadecimal.text(server))
            app \(owner.app)
            user \(owner.user)
            key \(Hexadecimal.text(publicKey))
            at \(time)

            """
        }

        var statement: [UInt8] {
            var statement = SignedStatement("DAYKREG1")
            statement.append(counted: text.utf8)
            return statement.bytes
        }
    }
}
