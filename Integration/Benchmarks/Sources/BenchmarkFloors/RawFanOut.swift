import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A thread that writes the same bytes to many sockets of this machine, and one that reads them: the floor of telling many readers.
///
/// One thread at a time.
public final class RawFanOut {
    private let crowd: LoopbackCrowd
    /// The other ends of the crowd's connections.
    private let ends: [LoopbackSocket]

    /// Opens the connections.
    ///
    /// - Parameter readers: How many there are.
    /// - Throws: ``LoopbackError`` when the system refuses.
    public init(readers: Int) throws(LoopbackError) {
        let (listener, port) = try LoopbackSocket.listen()
        defer { close(listener) }
        crowd = LoopbackCrowd(port: port)
        var ends: [LoopbackSocket] = []
        for _ in 0..<readers {
            try crowd.join()
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { throw .system(errno: errno) }
            ends.append(LoopbackSocket(descriptor: descriptor))
        }
        self.ends = ends
    }

    /// Writes an answer to every reader.
    ///
    /// - Parameter byteCount: How many bytes the answer has, its head included.
    /// - Returns: How long after the beginning each reader had it at the latest, in nanoseconds, the shortest first.
    /// - Throws: ``LoopbackError`` when a connection breaks.
    public func measure(answerBytes byteCount: Int) throws(LoopbackError) -> [Double] {
        let bytes = Self.answer(byteCount)
        let isWritten = DispatchSemaphore(value: 0)
        // SAFETY: the other thread alone uses them until it has signalled, and this one waits for that.
        nonisolated(unsafe) let ends = ends
        let start = ContinuousClock.now
        Thread.detachNewThread {
            for end in ends {
                do {
                    try end.write(bytes)
                } catch {
                    // The reader of this connection hears that it is closed, or that nobody answers.
                    break
                }
            }
            isWritten.signal()
        }
        defer { isWritten.wait() }
        return try crowd.receiveAll(from: 0..<ends.count).map { ($0.arrival - start) / .nanoseconds(1) }
    }

    /// An answer of so many bytes, or some more where a head has more.
    private static func answer(_ byteCount: Int) -> [UInt8] {
        func head(_ body: Int) -> [UInt8] { Array("HTTP/1.1 200 OK\r\ncontent-length: \(body)\r\n\r\n".utf8) }
        // The length in the head has as many digits as it will have, or one more.
        let body = max(0, byteCount - head(byteCount).count)
        return head(body) + [UInt8](repeating: 7, count: body)
    }
}
