public import AuditModel
public import EventModel
import NIOSSL

extension ServerConfiguration.Certificate {
    /// What TLS 1.2 may use; all suites of TLS 1.3 are like these.
    ///
    /// Each agrees on a key of its own for a connection, so that whoever gets the server's key later opens no connection that was
    /// written down, and encrypts and signs in one step.
    private static let cipherSuites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ]
    .joined(separator: ":")

    /// Reads the files as a server does that starts, and from when until when the certificate is valid.
    ///
    /// - Returns: The time that all certificates of the chain have in common; an empty one where they have none.
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` naming the file that cannot be used.
    public func validity() throws(AuditServerError) -> Range<EventInstant> {
        var (begin, end) = (EventInstant(microseconds: .min), EventInstant(microseconds: .max))
        for case .certificate(let certificate) in try tlsConfiguration().certificateChain {
            begin = max(begin, Self.instant(certificate.notValidBefore))
            end = min(end, Self.instant(certificate.notValidAfter))
        }
        return begin..<max(begin, end)
    }

    private static func instant(_ seconds: Int) -> EventInstant {
        let (microseconds, isTooMuch) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
        return EventInstant(microseconds: isTooMuch ? .max : microseconds)
    }

    /// Reads the files: TLS 1.2 or newer, with forward secrecy.
    ///
    /// - Throws: `AuditServerError.inaccessible(path:reason:)` naming the file that cannot be used.
    func tlsConfiguration() throws(AuditServerError) -> TLSConfiguration {
        let chain: [NIOSSLCertificateSource]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(chainFile).map { .certificate($0) }
        } catch {
            throw .inaccessible(path: chainFile, reason: "it is missing or holds no certificate as PEM")
        }
        guard !chain.isEmpty else { throw .inaccessible(path: chainFile, reason: "it holds no certificate as PEM") }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: keyFile, format: .pem)
        } catch {
            throw .inaccessible(path: keyFile, reason: "it is missing or holds no private key as PEM")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain,
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = Self.cipherSuites
        do {
            // Made once to find out now, and not at the first connection, whether key and certificate fit.
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .inaccessible(path: keyFile, reason: "it is not the key of the certificate in \(chainFile)")
        }
        return configuration
    }
}
