#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The bytes of a file, mapped into memory and given back with this object.
///
/// Whoever cuts the file meanwhile ends the process, as with every mapped file.
final class FileBytes {
    let buffer: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Maps a file.
    init(path: String) throws(OriginalFileError) {
        // Without O_NONBLOCK, opening a pipe would wait for somebody to write to it.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path: path, reason: "it is not a file") }
        let count = Int(status.st_size)
        guard count > 0 else {
            (buffer, isMapped) = (UnsafeRawBufferPointer(start: nil, count: 0), false)
            return
        }
        guard let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED else {
            throw Self.failure(path)
        }
        (buffer, isMapped) = (UnsafeRawBufferPointer(start: address, count: count), true)
    }

    /// Copies bytes.
    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        copy.copyBytes(from: bytes)
        (buffer, isMapped) = (UnsafeRawBufferPointer(copy), false)
    }

    deinit {
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
        } else {
            buffer.deallocate()
        }
    }

    private static func failure(_ path: String) -> OriginalFileError {
        .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
}
