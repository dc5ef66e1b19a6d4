#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A stream socket of 127.0.0.1, blocking, that knows where the head of an HTTP message ends.
///
/// One thread at a time.
final class LoopbackSocket {
    /// The head of a message.
    struct Head {
        /// The first line.
        let start: String
        /// How many bytes follow.
        let bodyByteCount: Int
    }

    /// The socket, which is closed with this object.
    let descriptor: Int32
    /// What was read and not used.
    private var buffer: [UInt8] = []
    private var position = 0
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)

    /// Takes over a descriptor.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        var on: Int32 = 1
        // Without it small messages wait for acknowledgements; one that stays slow is not wrong.
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects to a port.
    convenience init(connectingTo port: Int) throws(LoopbackError) {
        self.init(descriptor: try Self.makeDescriptor())
        var address = Self.address(port)
        let code = Self.withAddress(&address) { connect(descriptor, $0, $1) }
        guard code == 0 else { throw .system(errno: errno) }
    }

    deinit {
        close(descriptor)
        block.deallocate()
    }

    // MARK: - Addresses

    static func makeDescriptor() throws(LoopbackError) -> Int32 {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw .system(errno: errno) }
        return descriptor
    }

    /// Listens on a free port.
    ///
    /// - Returns: A descriptor to accept connections from, which the caller closes, and the port.
    static func listen() throws(LoopbackError) -> (listener: Int32, port: Int) {
        let listener = try makeDescriptor()
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard
            withAddress(&address, { bind(listener, $0, $1) }) == 0,
            systemListen(listener, 64) == 0,
            withUnsafeMutablePointer(
                to: &address,
                { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
                }
            ) == 0
        else { throw .system(errno: errno) }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func withAddress(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
        -> Int32
    {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    // MARK: - Bytes

    func write(_ bytes: [UInt8]) throws(LoopbackError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                let flags = Int32(MSG_NOSIGNAL)
                #else
                let flags: Int32 = 0
                #endif
                return systemSend(descriptor, UnsafeRawBufferPointer(rebasing: buffer[sent...]), flags)
            }
            guard count >= 0 else { throw .system(errno: errno) }
            sent += count
        }
    }

    /// Reads up to the end of a head; nil when the other side has closed the connection before one.
    func readHead() throws(LoopbackError) -> Head? {
        var text: [UInt8] = []
        while !text.suffix(4).elementsEqual([13, 10, 13, 10]) {
            if position == buffer.count, try !fill() {
                if text.isEmpty { return nil }
                throw .closed
            }
            text.append(buffer[position])
            position += 1
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n")
        guard let start = lines.first else { throw .notHTTP }
        let name = "content-length:"
        let length = lines.first { $0.lowercased().hasPrefix(name) }
        let value = length?.dropFirst(name.count).filter { $0 != " " }
        return Head(start: String(start), bodyByteCount: value.flatMap { Int($0) } ?? 0)
    }

    /// Reads exactly so many bytes.
    func read(_ count: Int) throws(LoopbackError) -> [UInt8] {
        while buffer.count - position < count {
            guard try fill() else { throw .closed }
        }
        defer { position += count }
        return Array(buffer[position..<position + count])
    }

    /// Reads so many bytes and keeps the first few.
    func discard(_ count: Int, keeping kept: Int) throws(LoopbackError) -> [UInt8] {
        let first = try read(min(count, kept))
        var rest = count - first.count
        while rest > 0 {
            if position < buffer.count {
                let used = min(rest, buffer.count - position)
                position += used
                rest -= used
            } else {
                // Straight into a block that nobody looks at.
                let received = recv(descriptor, block.baseAddress, min(rest, block.count), 0)
                guard received > 0 else { throw received == 0 ? .closed : .system(errno: errno) }
                rest -= received
            }
        }
        return first
    }

    /// Reads what has come; false when the other side has closed the connection.
    private func fill() throws(LoopbackError) -> Bool {
        if position == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            position = 0
        }
        let received = recv(descriptor, block.baseAddress, block.count, 0)
        guard received >= 0 else { throw .system(errno: errno) }
        buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: block[..<received]))
        return received > 0
    }
}

/// `send(2)`, whose name the methods of a connection have, too.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, flags)
}

/// `listen(2)`, likewise.
private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }
