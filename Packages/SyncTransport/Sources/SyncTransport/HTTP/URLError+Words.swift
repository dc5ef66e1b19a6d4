import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLError {
    /// What happened and what to do, for who reads a log.
    ///
    /// The system's own text has the address in it on some systems, which is not for a log.
    package var words: String {
        switch code {
        case .notConnectedToInternet:
            "This device has no network."
        case .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            "The system lets this app use no mobile data now."
        case .cannotFindHost, .dnsLookupFailed:
            "The name of the server is not known; check the address, and whether the network has a name service."
        case .cannotConnectToHost:
            "No server listens at the address; check its port, whether the server runs, and what a firewall lets through."
        case .timedOut:
            "The server did not answer in time."
        case .networkConnectionLost:
            "The connection broke off before the answer was there."
        case .secureConnectionFailed, .clientCertificateRequired, .clientCertificateRejected:
            "The server and this device agreed on no secure connection; check the address, and what stands in between."
        case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot:
            "The certificate of the server is not trusted here, or is for another name; install the authority that made it."
        case .serverCertificateHasBadDate, .serverCertificateNotYetValid:
            "The certificate of the server is not valid at the time of this device; check both clocks, and renew it."
        case .appTransportSecurityRequiresSecureConnection:
            "The system allows no connection without TLS; use an address with https."
        case .badURL, .unsupportedURL:
            "The address is none of an HTTP server; it begins with https:// or http://."
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
            "No whole answer came: the server broke off, or what answers at the address speaks no HTTP; check its port."
        default:
            "The connection failed; the system's code for the reason is \(errorCode)."
        }
    }
}
