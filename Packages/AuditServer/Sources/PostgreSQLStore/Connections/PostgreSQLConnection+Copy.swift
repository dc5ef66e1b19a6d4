import CPostgreSQL

extension PostgreSQLConnection {
    /// How many bytes are given to libpq at once.
    private static let copyChunk = 256 * 1024

    /// Inserts rows with COPY, the fastest way in.
    ///
    /// - Parameters:
    ///   - table: A table of ours with its columns in parentheses.
    ///   - count: How many rows there are.
    ///   - row: Returns the values of a row in the order of the columns.
    /// - Throws: What the closure throws, and ``PostgreSQLFailure``; no row is stored then.
    func copy(into table: String, count: Int, row: (Int) throws -> [SQLValue]) throws {
        try run("COPY \(table) FROM STDIN (FORMAT binary)")
        do {
            // The signature, no flags, no extension of the header.
            var buffer = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0]
            for index in 0..<count {
                let values = try row(index)
                buffer += SQLValue.bigEndian(Int16(values.count))
                for value in values {
                    buffer += SQLValue.bigEndian(Int32(value.bytes?.count ?? -1))
                    buffer += value.bytes ?? []
                }
                if buffer.count >= Self.copyChunk { try send(&buffer) }
            }
            buffer += SQLValue.bigEndian(Int16(-1))
            try send(&buffer)
        } catch {
            giveUp()
            throw error
        }
        guard PQputCopyEnd(handle, nil) == 1 else { throw failure(nil) }
        var thrown: PostgreSQLFailure?
        while let result = PQgetResult(handle) {
            if PQresultStatus(result) != PGRES_COMMAND_OK && thrown == nil { thrown = failure(result) }
            PQclear(result)
        }
        if let thrown { throw thrown }
    }

    private func send(_ buffer: inout [UInt8]) throws(PostgreSQLFailure) {
        let isTaken = buffer.withUnsafeBytes { bytes in
            PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count)) == 1
        }
        guard isTaken else { throw failure(nil) }
        buffer.removeAll(keepingCapacity: true)
    }
}
