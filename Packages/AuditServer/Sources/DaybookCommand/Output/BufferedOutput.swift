import AuditArchives

/// Collects output and writes it in large pieces.
struct BufferedOutput {
    private var bytes: [UInt8] = []

    /// Appends a line, which ends with a line feed.
    mutating func append(_ line: [UInt8]) {
        bytes += line
        if bytes.count >= 1 << 16 { flush() }
    }

    /// Appends a line, which ends with a line feed.
    mutating func append(_ line: String) {
        append(Array(line.utf8))
    }

    /// Writes what is left.
    mutating func flush() {
        StandardOutput.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
