import EventModel
import EventModelTesting
import EventPartitionsTesting
import EventProofs
import Testing

/// The file of a P-256 key, and what somebody can make of it who can write there and not read it.
@Suite("Files of P-256 keys")
struct CurveKeyFileTests {
    private static let path = "/device.key"
    private let disk = InMemoryFileSystem()

    private func loaded(_ bytes: [UInt8]? = nil, home: DeviceKeyHome = .file(.p256)) throws -> DeviceKey {
        if let bytes { disk.place(bytes, at: Self.path) }
        return try DeviceKey.loadOrCreate(at: Self.path, in: disk, home: home)
    }

    /// Says why a file is refused; nil when it is not.
    private func refusal(_ bytes: [UInt8]) -> String? {
        do {
            _ = try loaded(bytes)
            return nil
        } catch ProofError.keyMalformed(path: Self.path, let reason) {
            return reason
        } catch {
            return "another error: \(error)"
        }
    }

    private func made() throws -> [UInt8] {
        _ = try loaded()
        return try #require(disk.contents(of: Self.path))
    }

    @Test("the file is made once, has the published layout, and gives the same keys again")
    func kept() throws {
        let key = try loaded()
        let bytes = try #require(disk.contents(of: Self.path))

        let again = try loaded()

        #expect(key.algorithm == .p256)
        #expect(again.publicKey == key.publicKey)
        #expect(again.code(for: [1, 2]) == key.code(for: [1, 2]))
        #expect(bytes.count == 174)
        #expect(Array(bytes.prefix(9)) == Array("DAYDKEY1".utf8) + [1])
        #expect(bytes[9..<42] == key.publicKey[...])
        #expect(bytes[74..<78] == [32, 0, 0, 0])
        #expect(DeviceSignature.isValid(Array(bytes[110...]), for: Array(bytes[..<110]), by: key.publicKey))
        #expect(try disk.status(Self.path)?.permissions == 0o600)
    }

    @Test("a key that is there is used, whichever a new one would be")
    func goingOn() throws {
        let old = try loaded(home: .file(.ed25519))
        #expect(disk.contents(of: Self.path)?.count == 32)
        #expect(try loaded(home: .file(.p256)).publicKey == old.publicKey)
        #expect(try loaded(home: .secureEnclave).publicKey == old.publicKey)
        #expect(try loaded(home: .preferred).publicKey == old.publicKey)
    }

    @Test(
        "a file that is cut off anywhere, or longer, is refused: also one that is left with as many bytes as an Ed25519 key"
    )
    func cut() throws {
        let bytes = try made()
        for count in 0..<bytes.count { #expect(refusal(Array(bytes.prefix(count))) != nil, "cut off at \(count)") }
        #expect(refusal(Array(bytes.prefix(32))) == "it ends early")
        #expect(refusal(bytes + [0]) == "bytes lie behind its end")
        #expect(refusal(bytes + [UInt8](repeating: 0, count: 10_000)) != nil)
        #expect(refusal(bytes) == nil)
    }

    @Test("a wrong bit is noticed wherever it is")
    func flipped() throws {
        let bytes = try made()
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1 << UInt8(place % 8)
            #expect(refusal(changed) != nil, "byte \(place)")
        }
    }

    @Test("a note key that somebody puts beside the key is not believed, and neither are the halves of two keys")
    func exchanged() throws {
        let bytes = try made()
        let other = try CurveKeyFileTests().made()
        // The note key, the public key, the secret half, the signature; and all that is signed under another signature.
        for range in [42..<74, 9..<42, 78..<110, 110..<174, 0..<110, 9..<74, 42..<174] {
            let changed = bytes[..<range.lowerBound] + other[range] + bytes[range.upperBound...]
            #expect(refusal(Array(changed)) == "its key has not signed it", "\(range)")
        }
        // A thief who knows a key of their own signs the note key and the other's secret with it.
        let thief = try loaded(other)
        let statement = Array(other[..<78] + bytes[78..<110])
        #expect(try refusal(statement + thief.sign(statement)) == "it holds the halves of two keys")
    }

    @Test("a key of the Secure Enclave is refused where there is none, and its public half is known all the same")
    func enclave() throws {
        let bytes = try made()
        let key = try loaded()
        let statement = bytes[..<8] + [2] + bytes[9..<78] + bytes[78..<110]
        let moved = Array(statement) + (try key.sign(Array(statement)))

        #expect(refusal(moved)?.contains("Secure Enclave") == true)
        #expect(try DeviceKey.publicKey(at: Self.path, in: disk) == key.publicKey)
        #expect(refusal(Array(bytes[..<8]) + [3] + bytes[9...]) == "a newer version wrote it")
    }

    #if !canImport(CryptoKit)
    @Test("a new key cannot be made in an Enclave that is not there, and no file is left")
    func withoutEnclave() {
        let reason = "this system has no Secure Enclave"
        #expect(throws: ProofError.keyMalformed(path: Self.path, reason: reason)) {
            try DeviceKey.loadOrCreate(at: Self.path, in: disk, home: .secureEnclave)
        }
        #expect(disk.contents(of: Self.path) == nil)
        #expect(DeviceKeyHome.preferred == .file(.ed25519))
    }
    #endif
}
