import EventModel
import EventProofs
import LogPublishing
import Testing

@Suite("The settings of witnesses")
struct WitnessSettingsTests {
    private func key(_ number: UInt8, _ name: String? = nil, _ algorithm: NoteAlgorithm = .cosignature) throws
        -> NoteVerifierKey
    {
        try EdwardsNoteSigner(
            name: ExactText(name ?? "witness.example/w\(number)"),
            algorithm: algorithm,
            rawRepresentation: [UInt8](repeating: number, count: 32)
        )
        .verifierKey
    }

    private func addresses(_ count: UInt8) throws -> [WitnessAddress] {
        try (1...count).map { try WitnessAddress(url: "https://witness.example/w\($0)", key: key($0)) }
    }

    @Test("more than half of the witnesses are enough unless somebody says otherwise")
    func quorum() throws {
        #expect(WitnessSettings.none.quorum == 0 && WitnessSettings.none.addresses.isEmpty)
        let quorums = try (1...5).map { try WitnessSettings(addresses($0)).quorum }
        #expect(quorums == [1, 2, 2, 3, 3])
        #expect(try WitnessSettings(addresses(3), quorum: 3).quorum == 3)
        #expect(try WitnessSettings(addresses(3), quorum: 0).quorum == 0)
    }

    @Test("an address is the prefix in front of add-checkpoint, with or without a slash at its end")
    func urls() throws {
        for url in [
            "http://127.0.0.1:8081", "https://witness.example/w1", "HTTPS://witness.example", "http://[::1]:80",
        ] {
            #expect(try WitnessAddress(url: url, key: key(1)).url == url)
            #expect(try WitnessAddress(url: "\(url)/", key: key(1)).url == url)
        }
        for url in [
            "", "witness.example", "ftp://witness.example", "file:///etc", "http://", "http://a?b", "http://a#b",
            "http://user@a", "http://user:word@a", "https:///w1", "http://" + String(repeating: "a", count: 3000),
        ] {
            #expect(throws: LogPublishingError.self, "\(url)") { try WitnessAddress(url: url, key: key(1)) }
        }
    }

    @Test("a log's key, a key or a name that is there twice, too many witnesses and what cannot be reached are refused")
    func refused() throws {
        #expect(throws: LogPublishingError.self) {
            try WitnessAddress(url: "https://witness.example", key: key(1, nil, .ed25519))
        }
        let (first, second) = (try addresses(1), try addresses(2))
        let sameKey = try WitnessAddress(url: "https://b", key: key(1, "b"))
        let sameName = try WitnessAddress(url: "https://c", key: key(3, "witness.example/w1"))
        for list in [first + first, first + [sameKey], first + [sameName]] {
            #expect(throws: LogPublishingError.self) { try WitnessSettings(list) }
        }
        #expect(throws: LogPublishingError.self) { try WitnessSettings(addresses(16)) }
        for quorum in [-1, 3] {
            #expect(throws: LogPublishingError.self) { try WitnessSettings(second, quorum: quorum) }
        }
        for seconds in [0, 13] {
            #expect(throws: LogPublishingError.self) { try WitnessSettings(second, seconds: seconds) }
        }
        let log = try key(1, "log.example", .ed25519)
        #expect(throws: ProofError.self) { try CosignedLog(WitnessSettings(first), of: log) }
    }
}
