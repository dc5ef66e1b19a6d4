import AsyncHTTPClient
import AuditServerTesting
import Crypto
import CryptoExtras
import EventModelTesting
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOSSL
import SwiftASN1
import Testing
import X509

@testable import AuditAccounts
@testable import AuditHTTP
@testable import AuditModel
@testable import SQLiteStore

@Suite("Connections with TLS")
struct TLSTests {
    /// A certificate for this machine, signed by its own key.
    private struct SelfSigned {
        let files: ServerConfiguration.Certificate

        init(in folder: TestFolder) throws {
            let key = P256.Signing.PrivateKey()
            let pem = key.pemRepresentation
            try self.init(in: folder, key: Certificate.PrivateKey(key), pem: pem, .ecdsaWithSHA256)
        }

        init(
            in folder: TestFolder,
            key: Certificate.PrivateKey,
            pem: String,
            _ algorithm: Certificate.SignatureAlgorithm
        ) throws {
            let name = try DistinguishedName { CommonName("localhost") }
            let certificate = try Certificate(
                version: .v3,
                serialNumber: Certificate.SerialNumber(),
                publicKey: key.publicKey,
                notValidBefore: Date(timeIntervalSinceNow: -3600),
                notValidAfter: Date(timeIntervalSinceNow: 3600),
                issuer: name,
                subject: name,
                signatureAlgorithm: algorithm,
                extensions: Certificate.Extensions { SubjectAlternativeNames([.dnsName("localhost")]) },
                issuerPrivateKey: key
            )
            files = ServerConfiguration.Certificate(
                chainFile: folder.file("chain.pem"),
                keyFile: folder.file("key.pem")
            )
            try Data(certificate.serializeAsPEM().pemString.utf8).write(to: URL(filePath: files.chainFile))
            try Data(pem.utf8).write(to: URL(filePath: files.keyFile))
        }
    }

    private func service(_ certificate: ServerConfiguration.Certificate) async throws -> AuditService {
        AuditService(
            configuration: ServerConfiguration(certificate: certificate),
            store: InMemoryEventStore(),
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: try await TokenIssuer(key: TokenIssuer.makeKey(), clock: ManualClock()),
            key: try SigningKey(SigningKey.makeKey())
        )
    }

    private var logger: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }

    @Test("with a certificate the server answers over TLS")
    func answers() async throws {
        let folder = try TestFolder.made()
        let service = try await service(SelfSigned(in: folder).files)

        try await RunningServer.with(service) { port in
            var configuration = HTTPClient.Configuration()
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.certificateVerification = .none
            try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                let request = HTTPClientRequest(url: "https://localhost:\(port)/health")
                let answer = try await client.execute(request, timeout: .minutes(3))
                #expect(answer.status == .ok)
            }
        }
    }

    /// Both ends of a connection in memory.
    private struct Connection {
        let client = EmbeddedChannel()
        let server = EmbeddedChannel()

        /// Agrees on keys, sends a byte and returns whether it came.
        func succeeds(_ configuration: TLSConfiguration, with context: NIOSSLContext) -> Bool {
            do {
                try client.pipeline.syncOperations.addHandler(
                    NIOSSLClientHandler(context: NIOSSLContext(configuration: configuration), serverHostname: nil)
                )
                try server.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                let place = try SocketAddress(unixDomainSocketPath: "/none")
                client.connect(to: place, promise: nil)
                server.connect(to: place, promise: nil)
                try exchange()
                client.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
                try exchange()
                return try server.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "x")
            } catch {
                return false
            }
        }

        private func exchange() throws {
            var isMore = true
            while isMore {
                isMore = false
                while let bytes = try client.readOutbound(as: ByteBuffer.self) {
                    try server.writeInbound(bytes)
                    isMore = true
                }
                while let bytes = try server.readOutbound(as: ByteBuffer.self) {
                    try client.writeInbound(bytes)
                    isMore = true
                }
            }
        }
    }

    @Test("connections without forward secrecy are refused, and versions before TLS 1.2")
    func forwardSecrecy() throws {
        let folder = try TestFolder.made()
        // With a key of RSA there are connections without a key of their own.
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let files = try SelfSigned(
            in: folder,
            key: Certificate.PrivateKey(key),
            pem: key.pemRepresentation,
            .sha256WithRSAEncryption
        )
        .files
        let server = try NIOSSLContext(configuration: files.tlsConfiguration())
        func connects(_ suites: String, _ version: TLSVersion) -> Bool {
            var client = TLSConfiguration.makeClientConfiguration()
            client.certificateVerification = .none
            (client.minimumTLSVersion, client.maximumTLSVersion) = (version, version)
            client.cipherSuites = suites
            return Connection().succeeds(client, with: server)
        }

        #expect(connects("ECDHE-RSA-AES128-GCM-SHA256", .tlsv12))
        #expect(connects("ECDHE-RSA-AES256-GCM-SHA384", .tlsv13))
        for suite in ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES128-SHA", "ECDHE-RSA-AES128-SHA"] {
            #expect(!connects(suite, .tlsv12), "\(suite)")
        }
        #expect(!connects("ECDHE-RSA-AES128-SHA", .tlsv11))
    }

    @Test("a file that is missing, holds something else, or is the key of another certificate is named at the start")
    func refusals() async throws {
        let folder = try TestFolder.made()
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
