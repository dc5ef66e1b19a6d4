import NIOSSL

extension ServerConfiguration.Certificate {
    /// Reads the files: TLS 1.2 or newer, with the cipher suites of the library.
    ///
    /// - Throws: ``AuditServerError/inaccessible(path:reason:)`` naming the file that cannot be used.
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
        do {
            // Made once to find out now, and not at the first connection, whether key and certificate fit.
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .inaccessible(path: keyFile, reason: "it is not the key of the certificate in \(chainFile)")
        }
        return configuration
    }
}
