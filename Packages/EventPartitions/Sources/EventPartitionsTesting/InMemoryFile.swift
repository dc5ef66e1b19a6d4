import EventModel
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open file of a disk in memory.
final class InMemoryFile: OpenFile {
    private let content: Content
    private let path: String
    private let disk: Fullness
    private let isOpen = Mutex(true)

    init(_ content: Content, path: String, on disk: Fullness) {
        self.content = content
        self.path = path
        self.disk = disk
    }

    deinit {
        close()
    }

    func size() throws(FileSystemError) -> UInt64 {
        try check(.size)
        return content.size
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        try check(.read)
        return content.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
        try check(.write)
        try check(.write, hasRoomFor: offset + UInt64(bytes.count))
        content.write(bytes, at: offset)
        return bytes.count
    }

    func synchronize() throws(FileSystemError) {
        try check(.synchronize)
        content.synchronize()
    }

    func truncate(to size: UInt64) throws(FileSystemError) {
        try check(.truncate)
        try check(.truncate, hasRoomFor: size)
        content.truncate(to: size)
    }

    func lock(waiting: Bool) throws(FileSystemError) -> Bool {
        try check(.lock)
        if content.lock(for: ObjectIdentifier(self)) { return true }
        // Waiting is for other threads; a test with one would wait for itself.
        guard !waiting else { throw FileSystemError(.lock, path: path, code: EDEADLK) }
        return false
    }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { content.unlock(for: ObjectIdentifier(self)) }
    }

    private func check(_ operation: FileSystemError.Operation) throws(FileSystemError) {
        guard isOpen.withLock(\.self) else { throw FileSystemError(operation, path: path, code: EBADF) }
    }

    /// Refuses to make the file longer while the disk is full.
    private func check(_ operation: FileSystemError.Operation, hasRoomFor size: UInt64) throws(FileSystemError) {
        guard size > content.size, disk.isFull.load(ordering: .relaxed) else { return }
        throw FileSystemError(operation, path: path, code: ENOSPC)
    }
}

extension InMemoryFile {
    /// What a file holds, whatever its name.
    final class Content: Sendable {
        /// The size of what a disk writes at once, in bytes.
        private static let sectorBytes = 512

        private struct State {
            var bytes: [UInt8] = []
            /// What is on the disk.
            var durable: [UInt8] = []
            /// The sectors that were written since the last sync.
            var dirty: Set<Int> = []
            var owner: ObjectIdentifier?
        }

        private let state: Mutex<State>

        /// Creates a file whose bytes are durable.
        init(_ bytes: [UInt8] = []) {
            state = Mutex(State(bytes: bytes, durable: bytes))
        }

        var bytes: [UInt8] { state.withLock(\.bytes) }

        var size: UInt64 { UInt64(state.withLock { $0.bytes.count }) }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
            state.withLock { state in
                guard offset < UInt64(state.bytes.count) else { return 0 }
                let start = Int(offset)
                let count = min(buffer.count, state.bytes.count - start)
                state.bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[start..<start + count])) }
                return count
            }
        }

        func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
            guard !bytes.isEmpty else { return }
            state.withLock { state in
                let range = Int(offset)..<Int(offset) + bytes.count
                if state.bytes.count < range.upperBound {
                    state.bytes += [UInt8](repeating: 0, count: range.upperBound - state.bytes.count)
                }
                state.bytes.replaceSubrange(range, with: bytes)
                let first = range.lowerBound / Self.sectorBytes
                state.dirty.formUnion(first...(range.upperBound - 1) / Self.sectorBytes)
            }
        }

        func truncate(to size: UInt64) {
            state.withLock { state in
                if state.bytes.count > Int(size) {
                    state.bytes.removeLast(state.bytes.count - Int(size))
                } else {
                    state.bytes += [UInt8](repeating: 0, count: Int(size) - state.bytes.count)
                }
            }
        }

        func synchronize() {
            state.withLock { state in
                state.durable = state.bytes
                state.dirty = []
            }
        }

        func lock(for file: ObjectIdentifier) -> Bool {
            state.withLock { state in
                if state.owner == nil { state.owner = file }
                return state.owner == file
            }
        }

        func unlock(for file: ObjectIdentifier) {
            state.withLock { if $0.owner == file { $0.owner = nil } }
        }

        /// Returns what the disk holds after a power cut.
        func afterPowerCut(_ random: inout PowerCutRandomness) -> Content {
            let (bytes, durable, dirty) = state.withLock { ($0.bytes, $0.durable, $0.dirty) }
            guard bytes != durable else { return Content(durable) }
            // The size and each sector reach the disk or not, in any order.
            var result = durable
            let size = random.keeps() ? bytes.count : durable.count
            if result.count > size { result.removeLast(result.count - size) }
            result += [UInt8](repeating: 0, count: size - result.count)
            for sector in dirty.sorted() where random.keeps() {
                let start = sector * Self.sectorBytes
                let end = min(start + Self.sectorBytes, size, bytes.count)
                if start < end { result.replaceSubrange(start..<end, with: bytes[start..<end]) }
            }
            return Content(result)
        }
    }
}
