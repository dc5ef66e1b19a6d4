import Foundation
import SyncTransportTesting
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server on a loopback port that gives raw answers in turn, one for each connection, and keeps what it was sent.
final class LoopbackServer: Sendable {
    /// An answer that never comes: the connection stays open until the client closes it.
    static let silence = "silence"
    /// An answer that never comes, while the next connections are served.
    static let waiting = "waiting"
    /// Behind the beginning of an answer: nothing more comes, and the connection stays open until the client closes it.
    static let pause = "<pause>"
    /// Behind the beginning of an answer: the body goes on until the client closes the connection.
    static let forever = "<forever>"

    let port: UInt16
    /// Open once a request has arrived.
    let firstRequest = TestGate()
    /// An element for each request that has arrived.
    let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let listener: Int32
    private let received = Mutex<[String]>([])

    /// Starts to listen; the thread ends after the last answer.
    init(answers: [String]) throws {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.listener = listener
        (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        port = UInt16(bigEndian: address.sin_port)
        Thread { [self] in serve(answers) }.start()
    }

    var requests: [String] { received.withLock { $0 } }

    private func serve(_ answers: [String]) {
        var kept: [Int32] = []
        for answer in answers {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let request = Self.request(on: connection)
            received.withLock { $0.append(request) }
            firstRequest.arrive()
            arrived.yield()
            if answer == Self.waiting {
                kept.append(connection)
                continue
            }
            if answer == Self.silence {
                Self.waitForEnd(of: connection)
            } else if answer.hasSuffix(Self.pause) {
                Self.send(String(answer.dropLast(Self.pause.count)), on: connection)
                Self.waitForEnd(of: connection)
            } else if answer.hasSuffix(Self.forever) {
                Self.send(String(answer.dropLast(Self.forever.count)), on: connection)
                let more = String(repeating: "x", count: 65_536)
                // More than any client of these tests may take, and not for ever: one that goes on taking it fails its test.
                for _ in 0..<2048 where !Self.send(more, on: connection) { break }
                Self.waitForEnd(of: connection)
            } else {
                Self.send(answer, on: connection)
            }
            close(connection)
        }
        close(listener)
        for connection in kept {
            Self.waitForEnd(of: connection)
            close(connection)
        }
    }

    private static func waitForEnd(of connection: Int32) {
        var byte: UInt8 = 0
        _ = recv(connection, &byte, 1, 0)
    }

    /// Sends a text; returns whether the client still takes it.
    @discardableResult
    private static func send(_ text: String, on connection: Int32) -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        return Array(text.utf8)
            .withUnsafeBytes { bytes in
                #if canImport(Darwin)
                Darwin.send(connection, bytes.baseAddress, bytes.count, flags)
                #elseif canImport(Glibc)
                Glibc.send(connection, bytes.baseAddress, bytes.count, flags)
                #else
                Musl.send(connection, bytes.baseAddress, bytes.count, flags)
                #endif
            } > 0
    }

    private static func request(on connection: Int32) -> String {
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while !isWhole(text) {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            text += String(decoding: chunk[..<count], as: UTF8.self)
        }
        return text
    }

    private static func isWhole(_ text: String) -> Bool {
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let lengths = text[..<end.lowerBound].lowercased().components(separatedBy: "\r\n")
            .filter { $0.hasPrefix("content-length:") }
            .compactMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
        return text[end.upperBound...].utf8.count >= lengths.first ?? 0
    }
}
