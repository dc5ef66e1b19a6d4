public import EventModel

extension DeviceKey {
    private static let byteCount = 32

    /// Loads the key at a path, or makes one there that only the file's owner may read.
    ///
    /// Several processes may do this at once: a lock beside the file lets one of them make the key, and all use it.
    ///
    /// - Parameters:
    ///   - path: Where the 32 bytes of the key are; its directory exists.
    ///   - fileSystem: Where to look.
    /// - Returns: The key.
    /// - Throws: ``ProofError/keyInaccessible(_:)`` when a call fails, and ``ProofError/keyMalformed(path:reason:)`` when
    ///   the file has another size, is no file, or may be read by others.
    public static func loadOrCreate(at path: String, in fileSystem: any FileSystem) throws(ProofError) -> DeviceKey {
        try naming {
            let guardian = try fileSystem.open(path + ".lock", .writeOrCreate)
            defer { guardian.close() }
            _ = try guardian.lock(waiting: true)
            guard let status = try fileSystem.status(path) else { return try create(at: path, in: fileSystem) }
            return try load(at: path, status: status, in: fileSystem)
        }
    }

    /// Reads the public half of the key at a path.
    ///
    /// - Throws: ``ProofError/keyInaccessible(_:)`` and ``ProofError/keyMalformed(path:reason:)``.
    package static func publicKey(at path: String, in fileSystem: any FileSystem) throws(ProofError) -> [UInt8] {
        try naming {
            guard let status = try fileSystem.status(path) else {
                throw ProofError.keyMalformed(path: path, reason: "it is not there")
            }
            return try load(at: path, status: status, in: fileSystem).publicKey
        }
    }

    /// Turns errors of the file system into this module's.
    private static func naming<Result>(_ body: () throws -> Result) throws(ProofError) -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw .keyInaccessible(error)
        } catch let error as ProofError {
            throw error
        } catch {
            preconditionFailure("A file system throws FileSystemError alone, not \(error).")
        }
    }

    private static func load(at path: String, status: FileStatus, in fileSystem: any FileSystem) throws -> DeviceKey {
        guard status.kind == .file else { throw ProofError.keyMalformed(path: path, reason: "it is not a file") }
        guard status.permissions & 0o077 == 0 else {
            throw ProofError.keyMalformed(path: path, reason: "others than its owner may use it")
        }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        // One byte more than there should be, to notice it.
        let bytes = try file.bytes(at: 0, count: byteCount + 1)
        guard bytes.count == byteCount, let key = DeviceKey(rawRepresentation: bytes) else {
            throw ProofError.keyMalformed(path: path, reason: "it does not hold exactly \(byteCount) bytes")
        }
        return key
    }

    private static func create(at path: String, in fileSystem: any FileSystem) throws -> DeviceKey {
        let key = DeviceKey()
        try fileSystem.replaceFile(at: path, with: key.rawRepresentation)
        return key
    }
}
