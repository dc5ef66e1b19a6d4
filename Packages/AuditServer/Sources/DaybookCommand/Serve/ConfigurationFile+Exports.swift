import AuditExport
import AuditHTTP

extension ConfigurationFile {
    /// How much exports may take.
    struct Exports: Decodable {
        let concurrent: Int?
        let jobs: Int?
        let megabytes: Int?
        let hours: Int?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case concurrent, jobs, megabytes, hours
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            concurrent = try container.decodeIfPresent(Int.self, forKey: .concurrent)
            jobs = try container.decodeIfPresent(Int.self, forKey: .jobs)
            megabytes = try container.decodeIfPresent(Int.self, forKey: .megabytes)
            hours = try container.decodeIfPresent(Int.self, forKey: .hours)
        }

        func limits(_ path: String) throws -> ExportLimits {
            var limits = ExportLimits()
            if let concurrent {
                limits.concurrent = try ConfigurationFile.checked(concurrent, 1...16, "exports.concurrent", path)
            }
            if let jobs { limits.jobs = try ConfigurationFile.checked(jobs, 1...10_000, "exports.jobs", path) }
            if let megabytes {
                limits.bytes =
                    UInt64(try ConfigurationFile.checked(megabytes, 1...100_000_000, "exports.megabytes", path)) << 20
            }
            if let hours { limits.hours = try ConfigurationFile.checked(hours, 1...87_600, "exports.hours", path) }
            return limits
        }
    }
}
