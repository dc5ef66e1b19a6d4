extension FileSystem {
    /// Makes a file with what it holds, and returns when that is on the disk; its name is after ``syncDirectory(_:)``.
    ///
    /// - Parameters:
    ///   - path: The absolute path; its folder exists.
    ///   - bytes: What the file holds.
    /// - Throws: ``FileSystemError`` when there is something at the path, or a call fails; a part of the file may be there then.
    public func createFile(at path: String, with bytes: [UInt8]) throws(FileSystemError) {
        let file = try open(path, .create)
        defer { file.close() }
        try file.writeAll(bytes, at: 0)
        try file.synchronize()
    }

    /// Puts a file in the place of the one before, in one step: after a crash there is the one or the other as a whole.
    ///
    /// Returns when the file is on the disk with its name. It is written as `<path>.new`, where one may lie that a process left when it
    /// died; of two writers at once one must wait for the other, which is for the caller to see to.
    ///
    /// - Parameters:
    ///   - path: The absolute path; its folder exists.
    ///   - bytes: What the file holds.
    ///   - beforeSync: May write behind the bytes, for what is nice to have.
    /// - Throws: ``FileSystemError`` when a call fails; the file before is there then, unless it was the last sync.
    public func replaceFile(
        at path: String,
        with bytes: [UInt8],
        beforeSync: (any OpenFile) -> Void = { _ in }
    ) throws(FileSystemError) {
        let unfinished = "\(path).new"
        let file = try open(unfinished, .writeOrCreate)
        defer { file.close() }
        try file.truncate(to: 0)
        try file.writeAll(bytes, at: 0)
        beforeSync(file)
        try file.synchronize()
        try rename(unfinished, to: path)
        try syncDirectory(FilePaths.parent(of: path))
    }
}
