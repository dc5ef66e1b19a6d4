import EventModel

extension OpenFile {
    /// Reads bytes with as many calls as it takes; fewer only when the file ends before.
    func bytes(at offset: UInt64, count: Int) throws(FileSystemError) -> [UInt8] {
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
    func writeAll(_ bytes: [UInt8], at offset: UInt64) throws(FileSystemError) {
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
}
