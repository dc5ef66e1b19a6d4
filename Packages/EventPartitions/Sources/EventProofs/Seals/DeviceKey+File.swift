public import EventModel

extension DeviceKey {
    private static let byteCount = 32

    /// Loads the key at a path, or makes one there that only the file's owner may read.
    ///
    /// Several processes may do this at once: a lock beside the file lets one of them make the key, and all use it. A key that is there
    /// is used, wherever a new one would lie: a device keeps the key that the server knows it by.
    ///
    /// - Parameters:
    ///   - path: Where the key's file is, 32 bytes or the form that `FileFormat` describes; its directory exists.
    ///   - fileSystem: Where to look.
    ///   - home: Where the secret half of a new key lies; by default in the Secure Enclave where there is one.
    /// - Returns: The key.
    /// - Throws: ``ProofError/keyInaccessible(_:)`` when a call fails, and ``ProofError/keyMalformed(path:reason:)`` when
    ///   the file has another form, is no file, may be read by others, or its key cannot be used on this device.
    public static func loadOrCreate(
        at path: String,
        in fileSystem: any FileSystem,
        home: DeviceKeyHome = .preferred
    ) throws(ProofError) -> DeviceKey {
        try naming {
            let guardian = try fileSystem.open(path + ".lock", .writeOrCreate)
            defer { guardian.close() }
            _ = try guardian.lock(waiting: true)
            guard let status = try fileSystem.status(path) else {
                return try create(home, at: path, in: fileSystem)
            }
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
            switch try contents(at: path, status: status, in: fileSystem) {
            case .edwards(let key): return key.publicKey
            // On another device than the key's own, too.
            case .curve(let file): return file.publicKey
            }
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

    /// What the file of a key holds, by how it signs.
    private enum Contents {
        case edwards(DeviceKey)
        case curve(DeviceKeyFile)
    }

    private static func load(at path: String, status: FileStatus, in fileSystem: any FileSystem) throws -> DeviceKey {
        switch try contents(at: path, status: status, in: fileSystem) {
        case .edwards(let key): key
        case .curve(let file): try naming(path) { () throws(DeviceKeyFile.Malformation) in try DeviceKey(file) }
        }
    }

    private static func contents(
        at path: String,
        status: FileStatus,
        in fileSystem: any FileSystem
    ) throws -> Contents {
        guard status.kind == .file else { throw ProofError.keyMalformed(path: path, reason: "it is not a file") }
        guard status.permissions & 0o077 == 0 else {
            throw ProofError.keyMalformed(path: path, reason: "others than its owner may use it")
        }
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        // One byte more than there may be, to notice it.
        let bytes = try file.bytes(at: 0, count: DeviceKeyFile.maximumBytes + 1)
        // Looked at first: what is left of a longer file that was cut to 32 bytes is no key.
        if bytes.starts(with: DeviceKeyFile.magic) {
            let file = try naming(path) { () throws(DeviceKeyFile.Malformation) in try DeviceKeyFile(bytes: bytes) }
            return .curve(file)
        }
        guard bytes.count == byteCount, let key = DeviceKey(rawRepresentation: bytes) else {
            throw ProofError.keyMalformed(path: path, reason: "it does not hold exactly \(byteCount) bytes")
        }
        return .edwards(key)
    }

    private static func naming<Result>(
        _ path: String,
        _ body: () throws(DeviceKeyFile.Malformation) -> Result
    ) throws(ProofError) -> Result {
        do {
            return try body()
        } catch {
            throw .keyMalformed(path: path, reason: error.reason)
        }
    }

    private static func create(
        _ home: DeviceKeyHome,
        at path: String,
        in fileSystem: any FileSystem
    ) throws -> DeviceKey {
        let (key, bytes) = try naming(path) { () throws(DeviceKeyFile.Malformation) in try made(home) }
        try fileSystem.replaceFile(at: path, with: bytes)
        return key
    }

    private static func made(
        _ home: DeviceKeyHome
    ) throws(DeviceKeyFile.Malformation) -> (key: DeviceKey, bytes: [UInt8]) {
        let key: DeviceKey
        switch home {
        case .file(let algorithm): key = DeviceKey(algorithm)
        case .secureEnclave: key = try inEnclave()
        }
        do {
            return (key, try key.fileBytes())
        } catch {
            throw DeviceKeyFile.Malformation(reason: "the new key does not sign (\(error))")
        }
    }
}
