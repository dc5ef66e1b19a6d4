package import AuditConsole
package import HTTPTypes
package import HummingbirdCore
import NIOCore

/// How files of pages are answered, whichever server has them.
package enum PageAnswer {
    /// What a page may load and do: files of its server, and nothing that is written into a page.
    private static let contentPolicy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
        form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """

    /// What every answer says that a browser may show.
    package static var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentSecurityPolicy: contentPolicy, .xContentTypeOptions: "nosniff",
            // The pages belong to this version of the server.
            .cacheControl: "no-cache",
        ]
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }

    /// Answers with a file.
    package static func of(_ file: ConsoleFiles.File) -> Response {
        var headers = headers
        headers[.contentType] = file.mediaType
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }
}
