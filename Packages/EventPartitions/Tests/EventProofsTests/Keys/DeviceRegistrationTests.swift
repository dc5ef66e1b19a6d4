import EventModel
import EventProofs
import Foundation
import Testing

/// What a thief can make of statements that devices and servers signed.
@Suite("Keys of devices that are registered")
struct DeviceRegistrationTests {
    private static let owner = EventOwner(app: "ward-app", user: "65a1")
    private static let time = EventInstant(microseconds: 1_700_000_000_000_000)
    private static let later = EventInstant(microseconds: 1_700_000_001_000_000)
    private static let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

    private let server: EdwardsNoteSigner
    private let edwards = DeviceKey()
    private let curve = DeviceKey(.p256)

    init() throws {
        server = try Self.signer(1)
    }

    private static func bytes(_ text: String) -> [UInt8] { Hexadecimal.bytes(text) ?? [] }

    private static func signer(_ seed: UInt8, name: ExactText = KeySuccession.signerName) throws -> EdwardsNoteSigner {
        let secret = [UInt8](repeating: seed, count: 32)
        return try EdwardsNoteSigner(name: name, algorithm: .ed25519, rawRepresentation: secret)
    }

    private func claim(_ key: DeviceKey? = nil, of owner: EventOwner = owner) throws -> DeviceKeyClaim {
        try DeviceKeyClaim(of: key ?? edwards, for: owner, to: server.verifierKey.publicKey, at: Self.time)
    }

    private func registration(_ key: DeviceKey? = nil) throws -> DeviceRegistration {
        try DeviceRegistration(claim(key), receivedAt: Self.later, signedBy: server)
    }

    /// Reads each text that differs from a whole one in one bit, lacks a byte, or ends early.
    private static func altered(_ bytes: [UInt8], _ isRead: ([UInt8]) -> Bool) -> [String] {
        var believed: [String] = []
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << bit
                if isRead(changed) { believed.append("byte \(place), bit \(bit)") }
            }
            var without = bytes
            without.remove(at: place)
            if isRead(without) { believed.append("without byte \(place)") }
            if isRead(Array(bytes[..<place])) { believed.append("cut at \(place)") }
            if isRead(Array(bytes[place...].dropFirst())) { believed.append("from byte \(place + 1) on") }
        }
        return believed
    }

    @Test("a claim is these lines and is read again", arguments: DeviceKeyAlgorithm.allCases)
    func lines(_ algorithm: DeviceKeyAlgorithm) throws {
        let key = algorithm == .p256 ? curve : edwards
        let claim = try claim(key)
        let lines = claim.text.split(separator: "\n", omittingEmptySubsequences: false)
        let expected = [
            "daybook device key v1", "server \(Hexadecimal.text(server.verifierKey.publicKey))", "app ward-app",
            "user 65a1", "key \(Hexadecimal.text(key.publicKey))", "at 2023-11-14T22:13:20.000000Z",
            "signed \(Hexadecimal.text(claim.signature))", "",
        ]
        #expect(lines.map(String.init) == expected)
        #expect(claim.owner == Self.owner && claim.publicKey == key.publicKey && claim.time == Self.time)
        let again = try DeviceKeyClaim(Array(claim.text.utf8))
        #expect(again == claim)
    }

    @Test("a registration is the claim with the server's time and signature, and is read again")
    func note() throws {
        let made = try registration(curve)
        let start = made.claim.text + "received 2023-11-14T22:13:21.000000Z\n\n\u{2014} daybook/receipts "
        #expect(made.text.hasPrefix(start))
        #expect(made.received == Self.later)
        let again = try DeviceRegistration(Array(made.text.utf8))
        #expect(again == made)
    }

    @Test("no bit of a claim can be changed, and none of its bytes left out", arguments: DeviceKeyAlgorithm.allCases)
    func everyByteOfClaim(_ algorithm: DeviceKeyAlgorithm) throws {
        let bytes = Array(try claim(algorithm == .p256 ? curve : edwards).text.utf8)
        #expect(Self.altered(bytes) { (try? DeviceKeyClaim($0)) != nil } == [])
        #expect((try? DeviceKeyClaim(bytes + [10])) == nil)
        #expect((try? DeviceKeyClaim(bytes)) != nil)
    }

    @Test("no bit of a registration can be changed, and none of its bytes left out")
    func everyByte() throws {
        let bytes = try registration().note.bytes
        #expect(Self.altered(bytes) { (try? DeviceRegistration($0)) != nil } == [])
        #expect((try? DeviceRegistration(bytes + [10])) == nil)
        #expect((try? DeviceRegistration(bytes)) != nil)
    }

    @Test("of the two signatures of P-256 that belong to each other, the one with the greater value is refused")
    func greatValue() throws {
        let claim = try claim(curve)
        var (great, borrow) = ([UInt8](repeating: 0, count: 32), 0)
        for index in (0..<32).reversed() {
            let difference = Int(Self.order[index]) - Int(claim.signature[32 + index]) - borrow
            great[index] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        let signature = Hexadecimal.text(claim.signature[..<32] + great)
        let other = claim.text.replacing(Hexadecimal.text(claim.signature), with: signature)
        #expect(other != claim.text)
        #expect(throws: ProofError.self) { try DeviceKeyClaim(Array(other.utf8)) }
    }

    @Test("another app, user, server, key or time under the same signature is refused, and so is another's signature")
    func exchanged() throws {
        let (mine, other) = (try claim(), try claim(DeviceKey(), of: EventOwner(app: "ward-app", user: "65a2")))
        let (lines, others) = (mine.text.split(separator: "\n"), other.text.split(separator: "\n"))
        for (place, line) in lines.enumerated() where line != others[place] {
            var changed = lines
            changed[place] = others[place]
            let text = changed.map { $0 + "\n" }.joined()
            #expect((try? DeviceKeyClaim(Array(text.utf8))) == nil, "line \(place)")
        }
        for (old, new) in [
            ("app ward-app", "app ward"), ("server ", "server 00"), ("at 2023", "at 2024"), ("000000Z", "000Z"),
            ("signed ", "signed 00"), ("user 65a1", "user 65a1\u{301}"), ("v1", "v2"),
        ] {
            let text = mine.text.replacing(old, with: new)
            #expect((try? DeviceKeyClaim(Array(text.utf8))) == nil, "\(new)")
        }
        let digits = Hexadecimal.text(mine.signature)
        let upper = mine.text.replacing(digits, with: digits.uppercased())
        #expect(upper != mine.text)
        #expect((try? DeviceKeyClaim(Array(upper.utf8))) == nil)
    }

    @Test("names of an owner that are no line of their own make no claim, and neither do more bytes than there may be")
    func names() throws {
        for name in ["", "a\nuser b", "a\u{7}", String(repeating: "x", count: DeviceKeyClaim.maximumBytes)] {
            for owner in [EventOwner(app: name, user: "65a1"), EventOwner(app: "ward-app", user: name)] {
                #expect(throws: ProofError.self) { try claim(of: owner) }
            }
        }
        // Two spellings of one name are two users.
        let (one, two) = (
            try claim(of: EventOwner(app: "a", user: "\u{e9}")), try claim(of: EventOwner(app: "a", user: "e\u{301}"))
        )
        #expect(one.owner != two.owner)
    }

    @Test("who signs as another server, under another name, or beside the server, registers nothing")
    func otherServers() throws {
        let claim = try claim()
        let (thief, misnamed) = (try Self.signer(2), try Self.signer(1, name: "daybook/exports"))
        for signer in [thief, misnamed] {
            #expect(throws: ProofError.self) {
                try DeviceRegistration(claim, receivedAt: Self.later, signedBy: signer)
            }
        }
        let made = try registration()
        let more = try SignedNote(text: made.note.text, signedBy: [thief])
        for note in [try made.note.adding(more.signatures), more] {
            #expect(throws: ProofError.self) { try DeviceRegistration(note.bytes) }
        }
        // The bare claim with the server's signature, and one with a line more, are no registrations either.
        for text in [
            claim.text, "\(claim.text)received \(Self.later)\nnote 1\n", "\(claim.text)\nreceived \(Self.later)\n",
        ] {
            let note = try SignedNote(text: ExactText(text), signedBy: [server])
            #expect(throws: ProofError.self) { try DeviceRegistration(note.bytes) }
        }
    }

    @Test("what a device signed as a seal or a digest is no claim, and a claim's signature is none of those")
    func kinds() throws {
        let claim = try claim()
        let signed = claim.text.split(separator: "\n").dropLast().map { $0 + "\n" }.joined()
        #expect(!DeviceSignature.isValid(claim.signature, for: Array(signed.utf8), by: edwards.publicKey))
        let digest = MerkleHash.leaf(Array(signed.utf8))
        let forged = signed + "signed \(Hexadecimal.text(try edwards.signature(of: digest)))\n"
        #expect(throws: ProofError.self) { try DeviceKeyClaim(Array(forged.utf8)) }
    }
}
