/// How much exports may take of a server.
public struct ExportLimits: Sendable, Hashable {
    /// How many exports are made at once; 1.
    public var concurrent: Int
    /// How many exports there may be, made or waiting; 100.
    public var jobs: Int
    /// How many bytes the files of all exports may have; 10 GiB.
    public var bytes: UInt64
    /// After how many hours an export is removed; 72.
    public var hours: Int

    /// Creates limits.
    public init(concurrent: Int = 1, jobs: Int = 100, bytes: UInt64 = 10_737_418_240, hours: Int = 72) {
        self.concurrent = concurrent
        self.jobs = jobs
        self.bytes = bytes
        self.hours = hours
    }
}
