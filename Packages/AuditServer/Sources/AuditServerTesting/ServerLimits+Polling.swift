public import AuditAdmission

extension ServerLimits {
    /// For tests that ask until something is there: by a clock that stands still, nobody may ask more than 200 times.
    public static let forPolling = ServerLimits(requests: Rate(perMinute: 100_000_000, burst: 100_000_000))
}
