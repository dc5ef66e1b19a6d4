/// Does something with each of many values, a bounded number at once.
struct Crowd: Sendable {
    /// As many devices as sign in, or send what is left, at once.
    static let ofDevices = Crowd(size: 64)

    /// How many are at work at once.
    let size: Int

    /// Works, and returns when all is done.
    ///
    /// - Returns: What came of each value, in the order in which they ended.
    /// - Throws: The first error, when the rest has been cancelled.
    func map<Value: Sendable, Result: Sendable>(
        _ values: [Value],
        _ work: @escaping @Sendable (Value) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: Result.self) { group in
            var results: [Result] = []
            for (index, value) in values.enumerated() {
                if index >= size, let result = try await group.next() { results.append(result) }
                group.addTask { try await work(value) }
            }
            for try await result in group { results.append(result) }
            return results
        }
    }
}
