extension OpenFile {
    /// Reads bytes with as many calls as it takes; fewer only when the file ends before.
    public func bytes(at offset: UInt64, count: Int) throws(FileSystemError) -> [UInt8] {
        var failure: FileSystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileSystemError) {
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(buffer)[filled...]
                    let read = try self.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: rest),
                        at: offset + UInt64(filled)
                    )
                    if read == 0 { return }
                    filled += read
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all bytes with as many calls as it takes.
    public func writeAll(_ bytes: [UInt8], at offset: UInt64) throws(FileSystemError) {
        var written = 0
        while written < bytes.count {
            let from = written
            let result: Result<Int, FileSystemError> = bytes.withUnsafeBytes { buffer in
                Result { () throws(FileSystemError) in
                    try write(UnsafeRawBufferPointer(rebasing: buffer[from...]), at: offset + UInt64(from))
                }
            }
            written += try result.get()
        }
    }

    /// Writes what the file holds from now on over what it held.
    ///
    /// A crash may leave a part of each. It is for notes that say of themselves whether they are whole; what must not be lost either is
    /// replaced by ``FileSystem/replaceFile(at:with:beforeSync:)``. Nothing is durable before ``synchronize()``.
    public func overwrite(with bytes: [UInt8]) throws(FileSystemError) {
        try writeAll(bytes, at: 0)
        try truncate(to: UInt64(bytes.count))
    }
}
