import EventModel

extension ChangeWriter {
    /// Writes what a server knows a file by.
    mutating func binding(_ binding: FileBinding) {
        raw(binding.history.bytes)
        count(UInt64(binding.file))
        count(binding.salt.count)
        raw(binding.salt)
    }
}

extension ChangeReader {
    /// Reads what a server knows a file by.
    mutating func binding() throws(ChangeModelError) -> FileBinding {
        guard let history = HistoryID(try raw(HistoryID.byteCount)) else { throw malformed("A history has 16 bytes.") }
        let file = try number32()
        let count = try count()
        guard count <= ChangeLimits.saltBytes else { throw .tooLarge(bytes: count, limit: ChangeLimits.saltBytes) }
        return FileBinding(history: history, file: file, salt: Array(try raw(count)))
    }
}
