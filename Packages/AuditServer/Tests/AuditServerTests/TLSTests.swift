import AuditServer
import AuditServerTesting
import Crypto
import EventModelTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import SwiftASN1
import Testing
import X509

@Suite("Connections with TLS")
struct TLSTests {
    /// A certificate for this machine, signed by its own key.
    private struct SelfSigned {
        let files: ServerConfiguration.Certificate

        init(in folder: TemporaryFolder, key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) throws {
            let name = try DistinguishedName { CommonName("localhost") }
            let certificate = try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: Certificate.PublicKey(key.publicKey),
                notValidBefore: Date(timeIntervalSinceNow: -3600),
                notValidAfter: Date(timeIntervalSinceNow: 3600),
                issuer: name,
                subject: name,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions { SubjectAlternativeNames([.dnsName("localhost")]) },
                issuerPrivateKey: Certificate.PrivateKey(key)
            )
            files = ServerConfiguration.Certificate(
                chainFile: folder.file("chain.pem"),
                keyFile: folder.file("key.pem")
            )
            try Data(certificate.serializeAsPEM().pemString.utf8).write(to: URL(filePath: files.chainFile))
            try Data(key.pemRepresentation.utf8).write(to: URL(filePath: files.keyFile))
        }
    }

    private func service(_ certificate: ServerConfiguration.Certificate) async throws -> AuditService {
        AuditService(
            configuration: ServerConfiguration(certificate: certificate),
            store: InMemoryEventStore(),
            accounts: InMemoryAccountStore(),
            tokens: try await TokenIssuer(key: TokenIssuer.makeKey(), clock: ManualClock()),
            key: try SigningKey(SigningKey.makeKey())
        )
    }

    private var logger: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }

    @Test("with a certificate the server answers over TLS")
    func answers() async throws {
        let folder = try TemporaryFolder()
        let service = try await service(SelfSigned(in: folder).files)

        try await service.application(logger: logger)
            .test(.ahc(.https)) { client in
                let response = try await client.execute(uri: "/health", method: .get)
                #expect(response.status == .ok)
            }
    }

    @Test("a file that is missing, holds something else, or is the key of another certificate is named at the start")
    func refusals() async throws {
        let folder = try TemporaryFolder()
        let right = try SelfSigned(in: folder).files
        let noPEM = folder.file("no.pem")
        try Data("not PEM".utf8).write(to: URL(filePath: noPEM))
        let otherKey = folder.file("other.pem")
        try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).write(to: URL(filePath: otherKey))

        for (chain, key, named) in [
            ("/none.pem", right.keyFile, "/none.pem"), (noPEM, right.keyFile, noPEM),
            (right.chainFile, "/none.pem", "/none.pem"), (right.chainFile, noPEM, noPEM),
            (right.chainFile, otherKey, otherKey),
        ] {
            let service = try await service(.init(chainFile: chain, keyFile: key))
            let error = #expect(throws: AuditServerError.self) { try service.application(logger: logger) }
            guard case .inaccessible(let path, _) = error else {
                Issue.record("another error: \(String(describing: error))")
                continue
            }
            #expect(path == named)
        }
    }
}
