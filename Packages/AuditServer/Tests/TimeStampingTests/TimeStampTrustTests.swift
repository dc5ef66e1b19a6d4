import AuditServerTesting
import EventModel
import EventModelTesting
import SwiftASN1
import Testing

@testable import TimeStamping

@Suite("A time-stamp of RFC 3161", .enabled(if: SampleAuthority.isInstalled), .timeLimit(.minutes(5)))
struct TimeStampTrustTests {
    private let place: TestFolder
    private let bytes = Array("example.com/log\n3\nq83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=\n".utf8)

    init() throws { place = try TestFolder.made() }

    private func authority(
        _ name: String = "one",
        key: [String] = SampleAuthority.quickKey,
        purpose: SampleAuthority.Purpose = .timeStamps,
        hash: String = "sha256"
    ) throws -> SampleAuthority {
        let folder = place.file(name)
        try POSIXFileSystem().makeDirectory(folder)
        return try SampleAuthority(in: folder, name: "Authority \(name)", key: key, purpose: purpose, hash: hash)
    }

    @Test(
        "of each kind of key and hash is verified, and openssl agrees",
        arguments: [
            (["rsa:2048"], "sha256"), (["rsa:2048"], "sha384"), (["rsa:3072"], "sha512"),
            (["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"], "sha256"),
            (["ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"], "sha384"),
            (["ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"], "sha512"),
        ]
    )
    func kinds(_ key: [String], _ hash: String) async throws {
        let authority = try authority(key: key, hash: hash)
        for nonce in [0, 128, .max] as [UInt64] {
            let request = TimeStampRequest(over: bytes, nonce: nonce)
            let reply = try authority.reply(to: request.bytes())
            let stamp = try await authority.trust.verify(TimeStampToken(reply), over: bytes, answering: request)
            #expect(stamp.authority == "CN=Authority one 1" && stamp.accuracy == 1_500_000)
            #expect(stamp.latest.microseconds == stamp.time.microseconds + 1_500_000)
            #expect(try authority.verifies(reply, over: bytes))
        }
    }

    @Test("proves nothing of other bytes, of another request, or to whom trusts another authority")
    func otherwise() async throws {
        let (one, other) = (try authority(), try authority("two"))
        let request = TimeStampRequest(over: bytes, nonce: 42)
        let token = try TimeStampToken(one.reply(to: request.bytes()))
        let trust = try one.trust

        await #expect(throws: TimeStampError.otherBytes) { try await trust.verify(token, over: bytes + [0x0A]) }
        await #expect(throws: TimeStampError.otherRequest) {
            try await trust.verify(token, over: bytes, answering: TimeStampRequest(over: bytes, nonce: 43))
        }
        await #expect(throws: TimeStampError.untrusted(authority: "CN=Authority one 1")) {
            try await other.trust.verify(token, over: bytes)
        }
        #expect(try await trust.verify(token, over: bytes).authority == "CN=Authority one 1")
    }

    @Test(
        "needs a certificate that is made for time-stamps, and says so as critical, and for nothing else",
        arguments: [SampleAuthority.Purpose.timeStamps, .uncritical, .mixed, .servers]
    )
    func purposes(_ purpose: SampleAuthority.Purpose) throws {
        let document = try PEMDocument(pemString: authority(purpose: purpose).signerCertificate)
        let certificate = try #require(TokenCertificate(DER.parse(document.derBytes)))
        #expect((certificate.unfitness == nil) == (purpose == .timeStamps))
    }

    @Test("that was changed in any byte is refused, or says and proves the same")
    func flips() async throws {
        let authority = try authority()
        let trust = try authority.trust
        let reply = try authority.reply(to: TimeStampRequest(over: bytes, nonce: 1).bytes())
        let stamp = try await trust.verify(TimeStampToken(reply), over: bytes)
        var refused = 0
        for place in reply.indices {
            var changed = reply
            changed[place] ^= place.isMultiple(of: 2) ? 0x01 : 0x80
            do throws(TimeStampError) {
                let found = try await trust.verify(TimeStampToken(changed), over: bytes)
                #expect(found == stamp)
            } catch {
                refused += 1
            }
        }
        // What nobody signed: the status, the trusted root's own copy.
        #expect(refused > reply.count / 2)
        for length in reply.indices {
            #expect(throws: TimeStampError.self) { try TimeStampToken(Array(reply.prefix(length))) }
        }
        // The time-stamp alone, without the status in front of it.
        let ends = reply.indices.filter { (try? TimeStampToken(Array(reply.suffix($0)))) != nil }
        let end = try #require(ends.first)
        #expect(ends.count == 1 && reply.count - end < 16)
        #expect(try await trust.verify(TimeStampToken(Array(reply.suffix(end))), over: bytes) == stamp)
        #expect(throws: TimeStampError.self) { try TimeStampToken(reply + [0]) }
        #expect(throws: TimeStampError.self) {
            try TimeStampToken([UInt8](repeating: 0x30, count: TimeStampToken.maximumBytes + 1))
        }
    }

    @Test("of noise is none, however it begins, or says and proves the same")
    func noise() async throws {
        var random = SeededGenerator(seed: 21)
        let authority = try authority()
        let trust = try authority.trust
        let reply = try authority.reply(to: TimeStampRequest(over: bytes, nonce: 1).bytes())
        let stamp = try await trust.verify(TimeStampToken(reply), over: bytes)
        var refused = 0
        for _ in 0..<2000 {
            var changed = reply
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let place = Int.random(in: changed.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.remove(at: place)
                default: changed.insert(changed[place], at: place)
                }
            }
            do throws(TimeStampError) {
                let found = try await trust.verify(TimeStampToken(changed), over: bytes)
                #expect(found == stamp)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 1800)
    }

    @Test("that an authority does not give is told in its own words")
    func refused() throws {
        let reply = try authority().reply(to: [0x30, 0x03, 0x02, 0x01, 0x01])
        #expect {
            try TimeStampToken(reply)
        } throws: { error in
            guard case .refused(let status, let reason)? = error as? TimeStampError else { return false }
            return status == 2 && !reason.isEmpty
        }
    }

    @Test("needs certificates to trust")
    func roots() {
        for text in ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            #expect(throws: TimeStampError.self) { try TimeStampTrust(pem: text) }
        }
    }
}
