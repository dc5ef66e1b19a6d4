#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Many HTTP/1.1 connections to a server on this machine, of which one thread hears whichever answers first.
///
/// One thread at a time; every call blocks.
public final class LoopbackCrowd {
    /// An answer of the server.
    public struct Answer: Sendable {
        /// Which connection it came on, from 0.
        public let member: Int
        /// The status code.
        public let status: Int
        /// How many bytes it has, its head included.
        public let byteCount: Int
        /// When the last byte of it was here.
        public let arrival: ContinuousClock.Instant
    }

    /// For how long nobody may answer, in milliseconds.
    private static let patience: Int32 = 60_000

    private let port: Int
    private var sockets: [LoopbackSocket] = []
    /// What came of an answer that is not whole.
    private var parts: [[UInt8]] = []
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    /// Creates a crowd of nobody.
    ///
    /// - Parameter port: The port of 127.0.0.1 that members connect to.
    public init(port: Int) {
        self.port = port
    }

    deinit {
        block.deallocate()
    }

    /// How many connections there are.
    public var count: Int { sockets.count }

    /// Opens one more connection.
    ///
    /// - Throws: ``LoopbackError`` when the system or the server refuses.
    public func join() throws(LoopbackError) {
        sockets.append(try LoopbackSocket(connectingTo: port))
        parts.append([])
    }

    /// Sends a request without a body on one of the connections.
    ///
    /// - Throws: ``LoopbackError`` when the connection breaks.
    public func send(
        _ method: String,
        _ path: String,
        token: String,
        headers: [String: String],
        from member: Int
    ) throws(LoopbackError) {
        try sockets[member]
            .write(
                LoopbackConnection.head(
                    method,
                    path,
                    token: token,
                    type: "",
                    headers: headers,
                    bodyByteCount: 0
                )
            )
    }

    /// Waits until so many of some members have an answer each.
    ///
    /// - Parameters:
    ///   - wanted: How many answers to wait for.
    ///   - members: The connections to listen to; more than one answer of a connection is not expected.
    /// - Returns: The answers in the order in which they came; some more may have come with the last one.
    /// - Throws: ``LoopbackError`` when a connection breaks, when what comes is no answer, and when nobody says anything for a minute.
    /// - Complexity: O(*n* · *m*) in the answers and the members, of which each look costs some ten nanoseconds.
    public func receive(_ wanted: Int, from members: some Sequence<Int>) throws(LoopbackError) -> [Answer] {
        var listening = Array(members)
        var polls = listening.map { pollfd(fd: sockets[$0].descriptor, events: Int16(POLLIN), revents: 0) }
        var answers: [Answer] = []
        while answers.count < wanted {
            let ready = poll(&polls, nfds_t(polls.count), Self.patience)
            if ready < 0, errno == EINTR { continue }
            guard ready >= 0 else { throw .system(errno: errno) }
            guard ready > 0 else { throw .silent }
            var index = 0
            while index < polls.count {
                if polls[index].revents != 0, let answer = try read(listening[index]) {
                    answers.append(answer)
                    // The last one takes the place of who is done.
                    polls.swapAt(index, polls.count - 1)
                    polls.removeLast()
                    listening.swapAt(index, listening.count - 1)
                    listening.removeLast()
                } else {
                    index += 1
                }
            }
        }
        return answers
    }

    /// Waits until all of some members have an answer each, and listens to one after the other.
    ///
    /// The last arrival is right, and the others are those of the members before where these were later. To look at a thousand
    /// connections for each answer would take the machine's second core from the server, and longer than the server needs.
    ///
    /// - Parameter members: The connections to listen to.
    /// - Returns: The answers in the order of the members.
    /// - Throws: ``LoopbackError`` when a connection breaks, when what comes is no answer, and when somebody says nothing for a minute.
    /// - Complexity: O(*n*) in the members.
    public func receiveAll(from members: some Sequence<Int>) throws(LoopbackError) -> [Answer] {
        var answers: [Answer] = []
        for member in members { answers += try receive(1, from: CollectionOfOne(member)) }
        return answers
    }

    /// Reads what has come for a member; nil while its answer is not whole.
    private func read(_ member: Int) throws(LoopbackError) -> Answer? {
        let count = recv(sockets[member].descriptor, block.baseAddress, block.count, 0)
        guard count > 0 else { throw count == 0 ? .closed : .system(errno: errno) }
        let arrival = ContinuousClock.now
        parts[member].append(contentsOf: UnsafeRawBufferPointer(rebasing: block[..<count]))
        guard let frame = try HTTPFrame(parts[member]) else { return nil }
        guard parts[member].count >= frame.byteCount else { return nil }
        parts[member].removeFirst(frame.byteCount)
        return Answer(member: member, status: frame.status, byteCount: frame.byteCount, arrival: arrival)
    }
}

/// The status and the length of an HTTP/1.1 answer, found with one look at its bytes.
private struct HTTPFrame {
    let status: Int
    /// The bytes of head and body.
    let byteCount: Int

    /// Reads a head; nil while it is not whole.
    init?(_ bytes: [UInt8]) throws(LoopbackError) {
        let found = bytes.withUnsafeBytes { Self.find($0) }
        guard let found else { return nil }
        guard let status = Self.number(bytes.dropFirst(9).prefix(3)), let length = found.length else { throw .notHTTP }
        self.status = status
        byteCount = found.head + length
    }

    private static func find(_ bytes: UnsafeRawBufferPointer) -> (head: Int, length: Int?)? {
        let name = Array("content-length: ".utf8)
        var length: Int?
        var line = 0
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == 13, bytes[index + 1] == 10 else {
                index += 1
                continue
            }
            if index == line { return (index + 2, length) }
            let text = bytes[line..<index]
            if text.count > name.count, zip(text, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
                length = number(text.dropFirst(name.count))
            }
            index += 2
            line = index
        }
        return nil
    }

    /// Reads digits; nil where there is something else.
    private static func number(_ digits: some Sequence<UInt8>) -> Int? {
        var value: Int?
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = (value ?? 0) * 10 + Int(digit - 0x30)
        }
        return value
    }
}
