import Crypto
import EventModel
import Foundation
import JWTKit
import Testing

@testable import AuditAccounts
@testable import AuditModel

@Suite("Tokens of another identity provider")
struct CustomTokensTests {
    private struct Claims: JWTPayload {
        var sub: String? = "nurse-7"
        var exp: Double? = 2000
        var nbf: Double?
        var aud: AudienceClaim? = "ward-app"

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private static let secret = Array("0123456789abcdef0123456789abcdef".utf8)
    private static let now = EventInstant(microseconds: 1_000_000_000)

    private func subject(_ claims: Claims, signedWith secret: [UInt8] = secret) async throws -> String {
        let keys = await JWTKeyCollection()
            .add(hmac: HMACKey(key: SymmetricKey(data: secret)), digestAlgorithm: .sha256, kid: "theirs")
        let tokens = try await CustomTokens(key: .secret(Self.secret), audience: "ward-app")
        return try await tokens.subject(of: keys.sign(claims, kid: "theirs"), now: Self.now)
    }

    @Test("a token with subject, expiry and audience names its subject")
    func accepted() async throws {
        #expect(try await subject(Claims()) == "nurse-7")
        #expect(try await subject(Claims(nbf: 1000)) == "nurse-7")
        #expect(try await subject(Claims(aud: AudienceClaim(value: ["other", "ward-app"]))) == "nurse-7")
    }

    @Test("a token that lacks something, is over, too early, for others or signed by others is refused")
    func refused() async throws {
        let wrong = [
            Claims(sub: nil), Claims(sub: ""), Claims(sub: String(repeating: "x", count: 257)), Claims(exp: nil),
            Claims(exp: 1000), Claims(nbf: 1001), Claims(aud: nil), Claims(aud: "other"),
        ]
        for claims in wrong {
            let error = await #expect(throws: AuditServerError.self) { try await subject(claims) }
            #expect(error?.code == .unauthorized, "\(claims)")
        }
        let error = await #expect(throws: AuditServerError.self) {
            try await subject(Claims(), signedWith: Array(repeating: 7, count: 32))
        }
        #expect(error?.code == .unauthorized)
    }

    @Test("a token without a signature, or signed with a public key as if it were a secret, is refused")
    func confusion() async throws {
        let key = ES256PrivateKey()
        let pem = key.publicKey.pemRepresentation
        let tokens = try await CustomTokens(key: .ecdsa(pem: pem), audience: "ward-app")
        let right = try await JWTKeyCollection().add(ecdsa: key).sign(Claims())
        let confused = try await JWTKeyCollection()
            .add(hmac: HMACKey(key: SymmetricKey(data: Array(pem.utf8))), digestAlgorithm: .sha256).sign(Claims())
        let parts = right.split(separator: ".")
        // {"alg":"none","typ":"JWT"}
        let unsigned = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.\(parts[1])."

        #expect(try await tokens.subject(of: right, now: Self.now) == "nurse-7")
        for token in [confused, unsigned, "", "a.b.c", "\(parts[0]).\(parts[1]).", String(right.dropLast(4))] {
            await #expect(throws: AuditServerError.self) { try await tokens.subject(of: token, now: Self.now) }
        }
    }

    @Test(
        "a token whose header names extensions that must be understood is refused, though its signature is right",
        arguments: [#""crit":["exp2"],"exp2":1"#, #""crit":[],"x":1"#, #""crit":"b64","b64":false"#, #""crit":null"#]
    )
    func critical(extensions: String) async throws {
        func encoded(_ bytes: some Sequence<UInt8>) -> String {
            Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }
        func token(_ header: String) -> String {
            let claims = #"{"sub":"nurse-7","exp":2000,"aud":"ward-app"}"#
            let signed = "\(encoded(header.utf8)).\(encoded(claims.utf8))"
            let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: Self.secret))
            return "\(signed).\(encoded(code))"
        }
        let tokens = try await CustomTokens(key: .secret(Self.secret), audience: "ward-app")

        #expect(try await tokens.subject(of: token(#"{"alg":"HS256","typ":"JWT"}"#), now: Self.now) == "nurse-7")
        let error = await #expect(throws: AuditServerError.self) {
            try await tokens.subject(of: token(#"{"alg":"HS256",\#(extensions)}"#), now: Self.now)
        }
        #expect(error?.description.contains("critical extensions") == true)
    }

    @Test("a short secret or a text that is no key is refused when the server starts")
    func badKeys() async {
        for key in [CustomTokens.Key.secret([1, 2, 3]), .rsa(pem: "x"), .ecdsa(pem: "")] {
            await #expect(throws: AuditServerError.self) { try await CustomTokens(key: key, audience: "a") }
        }
    }
}
