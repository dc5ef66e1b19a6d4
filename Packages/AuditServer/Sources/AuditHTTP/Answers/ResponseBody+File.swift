import Hummingbird

extension ResponseBody {
    /// Reads bytes of a file part by part, as the client takes them.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - bytes: Which ones; at least one.
    ///   - context: The request's.
    /// - Returns: The body.
    /// - Throws: When the file cannot be opened.
    static func file(
        _ path: String,
        _ bytes: Range<UInt64>,
        _ context: AuditRequestContext
    ) async throws -> ResponseBody {
        try await FileIO()
            .loadFile(path: path, range: Int(bytes.lowerBound)...Int(bytes.upperBound - 1), context: context)
    }
}
