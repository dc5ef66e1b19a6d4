#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A plain file that bytes are appended to and synced: the floor of the event files.
///
/// One thread at a time.
public final class RawLog {
    private let descriptor: Int32

    /// Makes a file.
    ///
    /// - Throws: ``RawLogError`` when the system refuses.
    public init(path: String) throws {
        descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw RawLogError(errno: errno, action: "make a file") }
    }

    deinit {
        close(descriptor)
    }

    /// Appends bytes; they are on the disk when this returns.
    public func append(_ bytes: [UInt8]) throws {
        let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == bytes.count else { throw RawLogError(errno: errno, action: "append to a file") }
        #if canImport(Darwin)
        let code = fcntl(descriptor, F_FULLFSYNC)
        #else
        let code = fdatasync(descriptor)
        #endif
        guard code == 0 else { throw RawLogError(errno: errno, action: "sync a file") }
    }
}

/// The system refused something at the floor.
public struct RawLogError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system's error number.
    public let errno: Int32
    /// What was asked of it.
    let action: String

    /// What happened, in a sentence.
    public var description: String { "The system could not \(action); its error number is \(errno)." }
}
