import AuditArchives
import AuditModel
import Foundation
import LogPublishing

extension ConfigurationFile {
    /// Where the published log is copied.
    struct LogBucket: Decodable {
        let url: String
        let bucket: String
        let prefix: String?
        let region: String?
        let pathStyle: Bool?
        let keyFile: String?
        let seconds: Int?
        let entries: Bool?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case url, bucket, prefix, region, pathStyle, keyFile, seconds, entries
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            url = try container.decode(String.self, forKey: .url)
            bucket = try container.decode(String.self, forKey: .bucket)
            prefix = try container.decodeIfPresent(String.self, forKey: .prefix)
            region = try container.decodeIfPresent(String.self, forKey: .region)
            pathStyle = try container.decodeIfPresent(Bool.self, forKey: .pathStyle)
            keyFile = try container.decodeIfPresent(String.self, forKey: .keyFile)
            seconds = try container.decodeIfPresent(Int.self, forKey: .seconds)
            entries = try container.decodeIfPresent(Bool.self, forKey: .entries)
        }

        func settings(
            _ resolve: (String) -> String,
            _ path: String,
            // TEXT: names of ours, in ASCII.
            environment: [String: String] = ProcessInfo.processInfo.environment
        ) throws -> LogBucketSettings {
            let credentials = try keyFile.map { try Self.read(resolve($0)) } ?? Self.read(environment, path)
            do throws(LogPublishingError) {
                return try LogBucketSettings(
                    url: url,
                    bucket: bucket,
                    prefix: prefix ?? "",
                    region: region ?? LogBucketSettings.standardRegion,
                    isPathStyle: pathStyle ?? true,
                    credentials: credentials,
                    seconds: seconds ?? LogBucketSettings.standardSeconds,
                    copiesEntries: entries ?? false
                )
            } catch {
                guard case .unusableBucket(let reason) = error else { throw error }
                throw CommandError.malformedConfiguration(path, key: "logBucket", reason: reason)
            }
        }

        /// Reads the key from a file that nobody else may read: two words, and a third one for a key of some hours.
        private static func read(_ file: String) throws -> BucketCredentials {
            guard let bytes = try PrivateFile.read(file) else { throw CommandError.missingFile(file) }
            try PrivateFile.refuseShared(file)
            let words = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }.map { String($0) }
            let reason = "it holds the name of the key and its secret, and a session token if there is one, and no more"
            guard [2, 3].contains(words.count) else { throw CommandError.unreadable(path: file, reason: reason) }
            do throws(LogPublishingError) {
                return try BucketCredentials(
                    accessKey: words[0],
                    secret: words[1],
                    sessionToken: words.count == 3 ? words[2] : nil
                )
            } catch {
                throw CommandError.unreadable(path: file, reason: reason)
            }
        }

        // TEXT: as above.
        private static func read(_ environment: [String: String], _ path: String) throws -> BucketCredentials {
            guard let name = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
                throw CommandError.malformedConfiguration(
                    path,
                    key: "logBucket.keyFile",
                    reason: "name a file with the key, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                )
            }
            do throws(LogPublishingError) {
                return try BucketCredentials(
                    accessKey: name,
                    secret: secret,
                    sessionToken: environment["AWS_SESSION_TOKEN"]
                )
            } catch {
                let reason =
                    "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are each a word, and AWS_SESSION_TOKEN if it is set"
                throw CommandError.malformedConfiguration(path, key: "logBucket", reason: reason)
            }
        }
    }
}
