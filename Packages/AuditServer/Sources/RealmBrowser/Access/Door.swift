import HTTPTypes
import Hummingbird
import HummingbirdCore
import Synchronization

/// Who is let in: whoever has the token, asks this very server by its own name, and only wants to read.
final class Door: Sendable {
    let secrets: BrowserSecrets
    private let port = Mutex<Int?>(nil)

    init(_ secrets: BrowserSecrets) { self.secrets = secrets }

    /// Says on which port the server listens; before, nobody is let in.
    func open(_ port: Int) { self.port.withLock { $0 = port } }

    /// The address with which a browser begins.
    func address(_ port: Int) -> String { "http://127.0.0.1:\(port)/?token=\(secrets.token)" }

    /// The name of the cookie, which servers on other ports do not use.
    private func cookieName(_ port: Int) -> String { "daybook-realm-\(port)" }

    /// Refuses what a page of somebody else's might send, whoever the browser belongs to.
    ///
    /// A name that leads to this machine is not enough: whoever owns a name may let it lead here once their page is loaded.
    func checkForm(_ request: Request) throws(RealmBrowserError) {
        guard let port = port.withLock(\.self), let host = request.head.authority,
            host == "127.0.0.1:\(port)" || host == "localhost:\(port)"
        else { throw .foreignHost }
        guard request.method == .get, request.headers[.transferEncoding] == nil,
            request.headers[.contentLength].map({ $0 == "0" }) ?? true
        else { throw .notReading }
    }

    /// Lets in whoever has the token in a header.
    func checkToken(_ request: Request) throws(RealmBrowserError) {
        guard let given = request.headers[.authorization], given.hasPrefix("Bearer "),
            BrowserSecrets.isEqual(given.dropFirst("Bearer ".count), secrets.token)
        else { throw .unauthorized }
    }

    /// Lets in whoever has the cookie or the token.
    func checkVisitor(_ request: Request) throws(RealmBrowserError) {
        let name = port.withLock(\.self).map(cookieName) ?? ""
        // Servers on other ports may have set cookies of any name, and one that is wrong must not hide the right one.
        for header in request.headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingPrefix(while: \.isWhitespace) }
                if parts.count == 2, parts[0] == name, BrowserSecrets.isEqual(parts[1], secrets.cookie) { return }
            }
        }
        try checkToken(request)
    }

    /// The cookie for whoever comes with the token in the address; nil when there is none in it.
    ///
    /// The page takes the token out of the address. It is the page itself that is answered, and no other address: a browser that
    /// came from the page of somebody else would go there without the cookie.
    func welcome(_ request: Request) throws(RealmBrowserError) -> String? {
        guard let given = request.uri.queryParameters["token"] else { return nil }
        guard BrowserSecrets.isEqual(given, secrets.token), let port = port.withLock(\.self) else {
            throw .unauthorized
        }
        return "\(cookieName(port))=\(secrets.cookie); Path=/; HttpOnly; SameSite=Strict"
    }
}
