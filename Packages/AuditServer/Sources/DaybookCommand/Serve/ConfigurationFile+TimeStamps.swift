import AuditArchives
import LogPublishing
import TimeStamping

extension ConfigurationFile {
    /// Who says when the published log was what it is.
    struct TimeStamps: Decodable {
        let url: String
        let certificates: String
        let minutes: Int?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case url, certificates, minutes
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            url = try container.decode(String.self, forKey: .url)
            certificates = try container.decode(String.self, forKey: .certificates)
            minutes = try container.decodeIfPresent(Int.self, forKey: .minutes)
        }

        func settings(_ resolve: (String) -> String, _ path: String) throws -> TimeStampSettings {
            let trust = try TimeStampTrust(reading: resolve(certificates))
            do throws(LogPublishingError) {
                let minutes = minutes ?? TimeStampSettings.standardMinutes
                return try TimeStampSettings(url: url, trust: trust, minutes: minutes)
            } catch {
                guard case .unusableAuthority(let reason) = error else { throw error }
                throw CommandError.malformedConfiguration(path, key: "timeStamps", reason: reason)
            }
        }
    }
}
