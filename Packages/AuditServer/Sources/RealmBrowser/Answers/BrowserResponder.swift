import AuditConsole
import AuditHTTP
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import RealmWindow

/// Answers every request: it is let in first, then a page's file or something of the realm is read.
struct BrowserResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let door: Door
    let questions: FileQuestions
    let wait: ChangeWait

    @concurrent
    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        var response: Response
        do {
            response = try await answer(to: request)
        } catch {
            response = try refuse(error, isPage: !request.uri.path.hasPrefix("/api/"))
        }
        for field in PageAnswer.headers where response.headers[field.name] == nil {
            response.headers.append(field)
        }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private func answer(to request: Request) async throws -> Response {
        try door.checkForm(request)
        let path = request.uri.path
        guard path.hasPrefix("/api/") else { return try file(path, request) }
        try door.checkToken(request)
        switch path {
        case "/api/classes": return try .json(try await questions.classes())
        case "/api/objects": return try .json(try await questions.objects(try selection(request)))
        case "/api/object": return try .json(try await object(request))
        case "/api/changes":
            let shown = request.uri.queryParameters["since"].map(String.init) ?? ""
            return try .json(ShownState(state: try await wait.change(since: shown)))
        default: throw RealmBrowserError.notFound
        }
    }

    // MARK: - Pages

    private func file(_ path: String, _ request: Request) throws(RealmBrowserError) -> Response {
        if path == "/" {
            let cookie = try door.welcome(request)
            if cookie == nil { try door.checkVisitor(request) }
            guard let page = ConsoleFiles.browser[ConsoleFiles.browserStart] else { throw .notFound }
            var response = PageAnswer.of(page)
            response.headers[.setCookie] = cookie
            return response
        }
        try door.checkVisitor(request)
        guard let file = ConsoleFiles.browser[String(path.dropFirst())] else { throw .notFound }
        return PageAnswer.of(file)
    }

    // MARK: - Questions

    private func selection(_ request: Request) throws(RealmBrowserError) -> RealmWindow.Selection {
        let query = Query(request)
        let condition = query["where"].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        guard condition?.utf8.count ?? 0 <= FileQuestions.longestCondition else {
            throw .rejected(reason: "a condition has at most \(FileQuestions.longestCondition) bytes")
        }
        return RealmWindow.Selection(
            try query.required("class"),
            where: condition,
            sortedBy: query["sort"],
            isDescending: query["descending"] == "1",
            offset: try query.number("offset", in: 0...(1 << 40), standard: 0),
            limit: try query.number("limit", in: 1...FileQuestions.maximumRows, standard: 100)
        )
    }

    private func object(_ request: Request) async throws -> ShownObject {
        let query = Query(request)
        let className = try query.required("class")
        if let key = query["key"] { return try await questions.object(of: className, at: .key(key)) }
        guard let row = Int64(try query.required("row")) else {
            throw RealmBrowserError.rejected(reason: "a row is a number")
        }
        return try await questions.object(of: className, at: .row(row))
    }

    // MARK: - Refusals

    /// Answers to an error; that of a store says what is wrong with the file, to its owner.
    private func refuse(_ error: any Error, isPage: Bool) throws -> Response {
        var response: Response
        if isPage {
            response = Response(
                status: status(of: error),
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "\(error)\n"))
            )
        } else {
            response = try .json(ShownRefusal(message: "\(error)"))
            response.status = status(of: error)
        }
        if case RealmBrowserError.notReading = error { response.headers[.allow] = "GET" }
        // What is left of a body that nobody wants would be waited for.
        if error is RealmBrowserError { response.headers[.connection] = "close" }
        return response
    }

    private func status(of error: any Error) -> HTTPResponse.Status {
        switch error {
        case RealmBrowserError.unauthorized: .unauthorized
        case RealmBrowserError.foreignHost: .misdirectedRequest
        case RealmBrowserError.notReading: .methodNotAllowed
        case RealmBrowserError.notFound, RealmBrowserError.missingObject, RealmWindowError.missingClass: .notFound
        case is RealmBrowserError where error as? RealmBrowserError != .busy: .badRequest
        case is RealmWindowError: .badRequest
        default: .serviceUnavailable
        }
    }
}

/// The part of an address behind the question mark.
private struct Query {
    private let values: [String: String]

    init(_ request: Request) {
        values = request.uri.queryParameters.reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" }
    }

    /// A text that is not empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    func required(_ name: String) throws(RealmBrowserError) -> String {
        // An empty primary key is one.
        guard let value = values[name], !value.isEmpty else { throw .rejected(reason: "'\(name)' is missing") }
        return value
    }

    func number(_ name: String, in range: ClosedRange<Int>, standard: Int) throws(RealmBrowserError) -> Int {
        guard let text = self[name] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw .rejected(reason: "'\(name)' is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
