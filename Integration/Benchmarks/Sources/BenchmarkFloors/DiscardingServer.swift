import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server of HTTP/1.1 on this machine that throws away what it is sent: the floor of uploads.
///
/// A thread accepts, and each connection has a thread; they end with the process.
public final class DiscardingServer: Sendable {
    /// Makes the body of an answer from the request line and the first bytes of the body.
    public typealias Answer = @Sendable (_ request: String, _ beginning: [UInt8]) -> [UInt8]

    /// How many bytes of a body the answer is made from.
    private static let keptByteCount = 1024

    /// The port.
    public let port: Int

    /// Starts the server on a free port.
    ///
    /// - Parameter answer: Makes the bodies of the answers, all of which are JSON with status 200.
    /// - Throws: ``LoopbackError`` when the system refuses.
    public init(answer: @escaping Answer) throws(LoopbackError) {
        let listener: Int32
        (listener, port) = try LoopbackSocket.listen()
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                Thread.detachNewThread { Self.serve(descriptor, answer) }
            }
        }
    }

    private static func serve(_ descriptor: Int32, _ answer: Answer) {
        let socket = LoopbackSocket(descriptor: descriptor)
        do {
            while let head = try socket.readHead() {
                let body = answer(head.start, try socket.discard(head.bodyByteCount, keeping: keptByteCount))
                let start = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: \(body.count)\r\n\r\n"
                try socket.write(Array(start.utf8) + body)
            }
        } catch {
            // The client went away; whoever measures sees that for himself.
            return
        }
    }
}
