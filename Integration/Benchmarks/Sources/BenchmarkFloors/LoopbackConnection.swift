import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One HTTP/1.1 connection to a server on this machine, through the system's sockets: the least that a client can cost.
///
/// One thread at a time; every call blocks.
public final class LoopbackConnection {
    /// An answer of the server.
    public struct Answer: Sendable {
        /// The status code.
        public let status: Int
        /// The body.
        public let body: [UInt8]
    }

    private let socket: LoopbackSocket

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Throws: ``LoopbackError`` when the system or the server refuses.
    public init(port: Int) throws(LoopbackError) {
        socket = try LoopbackSocket(connectingTo: port)
    }

    /// Sends a request without waiting for the answer.
    ///
    /// - Throws: ``LoopbackError`` when the connection breaks.
    public func send(
        _ method: String,
        _ path: String,
        token: String? = nil,
        type: String = "application/json",
        headers: [String: String] = [:],
        body: [UInt8] = []
    ) throws(LoopbackError) {
        try socket.write(Self.head(method, path, token: token, type: type, headers: headers, bodyByteCount: body.count))
        try socket.write(body)
    }

    /// The bytes of a request in front of its body.
    static func head(
        _ method: String,
        _ path: String,
        token: String?,
        type: String,
        headers: [String: String],
        bodyByteCount: Int
    ) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: \(bodyByteCount)\r\n"
        if let token { head += "authorization: Bearer \(token)\r\n" }
        if bodyByteCount > 0 { head += "content-type: \(type)\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        return Array("\(head)\r\n".utf8)
    }

    /// Waits for the next answer.
    ///
    /// - Throws: ``LoopbackError`` when the connection breaks or the answer is not HTTP with a length.
    public func receive() throws(LoopbackError) -> Answer {
        guard let head = try socket.readHead() else { throw .closed }
        guard let status = head.start.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw .notHTTP
        }
        return Answer(status: status, body: try socket.read(head.bodyByteCount))
    }

    /// Sends a request and waits for its answer, which must have status 200.
    ///
    /// - Returns: The body of the answer.
    /// - Throws: ``LoopbackError`` when the connection breaks or the answer is another one.
    public func exchange(
        _ method: String,
        _ path: String,
        token: String? = nil,
        type: String = "application/json",
        headers: [String: String] = [:],
        body: [UInt8] = []
    ) throws(LoopbackError) -> [UInt8] {
        try send(method, path, token: token, type: type, headers: headers, body: body)
        let answer = try receive()
        guard answer.status == 200 else { throw .refused(status: answer.status) }
        return answer.body
    }
}

/// A connection on this machine failed.
public enum LoopbackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system refused something; its error number.
    case system(errno: Int32)
    /// The other side closed the connection.
    case closed
    /// What came is not HTTP/1.1 with a content length.
    case notHTTP
    /// Nobody answered for a minute.
    case silent
    /// The answer was not the one that was asked for.
    case refused(status: Int)

    /// What happened, in a sentence.
    public var description: String {
        switch self {
        case .system(let number): "A socket of this machine failed with error number \(number)."
        case .closed: "The other side closed the connection."
        case .notHTTP: "What came is not HTTP/1.1 with a content length."
        case .silent: "The other side did not answer for a minute."
        case .refused(let status): "The server answered with status \(status)."
        }
    }
}
