import AuditAccounts
import AuditArchives
import AuditModel
import Foundation

extension ConfigurationFile {
    /// How the users of one app sign in, and what its collection may hold.
    struct App: Decodable {
        let anonymousUsers: Bool?
        let emailPassword: String?
        let apiKeysFile: String?
        let customTokens: Tokens?
        let developmentMode: Bool?
        let metadataColumns: [String]?
        let partitionRules: Rules?
        let realms: Realms?
        let retention: Retention?
        let masked: [String]?
        let staffFile: String?
        let labels: [String: String]?  // TEXT: names of classes as JSON has them, compared by their bytes later.

        enum CodingKeys: String, CodingKey, CaseIterable {
            case anonymousUsers, emailPassword, apiKeysFile, customTokens, developmentMode, metadataColumns
            case partitionRules, realms, retention, masked, labels, staffFile
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            anonymousUsers = try container.decodeIfPresent(Bool.self, forKey: .anonymousUsers)
            emailPassword = try container.decodeIfPresent(String.self, forKey: .emailPassword)
            apiKeysFile = try container.decodeIfPresent(String.self, forKey: .apiKeysFile)
            customTokens = try container.decodeIfPresent(Tokens.self, forKey: .customTokens)
            developmentMode = try container.decodeIfPresent(Bool.self, forKey: .developmentMode)
            metadataColumns = try container.decodeIfPresent([String].self, forKey: .metadataColumns)
            partitionRules = try container.decodeIfPresent(Rules.self, forKey: .partitionRules)
            realms = try container.decodeIfPresent(Realms.self, forKey: .realms)
            retention = try container.decodeIfPresent(Retention.self, forKey: .retention)
            masked = try container.decodeIfPresent([String].self, forKey: .masked)
            staffFile = try container.decodeIfPresent(String.self, forKey: .staffFile)
            labels = try container.decodeIfPresent([String: String].self, forKey: .labels)
        }

        func settings(of id: String, _ resolve: (String) -> String, _ path: String) async throws -> AppSettings {
            let mode = try emailPassword.map { text in
                guard let mode = AppSettings.EmailPassword(rawValue: text) else {
                    let known = AppSettings.EmailPassword.allCases.map(\.rawValue).joined(separator: ", ")
                    let key = "apps.\(id).emailPassword"
                    throw CommandError.malformedConfiguration(path, key: key, reason: "it is one of \(known)")
                }
                return mode
            }
            let keys = try apiKeysFile.map { try APIKeyFile.read(resolve($0), app: id) }
            do {
                try EventSchema.check(metadataColumns: metadataColumns ?? [])
            } catch {
                let reason = "a name has 1 to 63 bytes, no control characters, and is no field of every event"
                throw CommandError.malformedConfiguration(path, key: "apps.\(id).metadataColumns", reason: reason)
            }
            return AppSettings(
                allowsAnonymousUsers: anonymousUsers ?? false,
                apiKeys: keys ?? [],
                emailPassword: mode ?? .off,
                customTokens: try await customTokens?.tokens(of: id, resolve, path),
                isDevelopmentMode: developmentMode,
                metadataColumns: metadataColumns,
                partitionRules: try partitionRules?.rules(of: id, path) ?? PartitionRules(),
                realmRules: try realms?.rules(of: id, path),
                realmHistoryDays: try realms?.historyDays(of: id, path),
                retention: try retention?.rule(of: id, path),
                mask: try ConfigurationFile.mask(masked ?? [], of: id, path),
                labels: try ConfigurationFile.labels(labels ?? [:], of: id, path),
                staff: try staffFile.map { try ConfigurationFile.staff(resolve($0), of: id, path) } ?? .none
            )
        }
    }

    /// Which realms users share, and how long their logs are kept.
    struct Realms: Decodable {
        let userWrite: [String]?
        let userRead: [String]?
        let historyDays: Int?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case userWrite, userRead, historyDays
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            userWrite = try container.decodeIfPresent([String].self, forKey: .userWrite)
            userRead = try container.decodeIfPresent([String].self, forKey: .userRead)
            historyDays = try container.decodeIfPresent(Int.self, forKey: .historyDays)
        }

        /// Who shares what; nil where only the log is spoken of.
        func rules(of app: String, _ path: String) throws -> RealmRules? {
            if userWrite == nil, userRead == nil, historyDays != nil { return nil }
            return RealmRules(
                userWrite: try ConfigurationFile.patterns(userWrite, "apps.\(app).realms.userWrite", path) ?? [],
                userRead: try ConfigurationFile.patterns(userRead, "apps.\(app).realms.userRead", path) ?? []
            )
        }

        func historyDays(of app: String, _ path: String) throws -> Int? {
            let range = RetentionRule.allowedDays
            guard let historyDays, !range.contains(historyDays) else { return historyDays }
            let reason = "the log of a realm is kept for \(range.lowerBound) to \(range.upperBound) days"
            throw CommandError.malformedConfiguration(path, key: "apps.\(app).realms.historyDays", reason: reason)
        }
    }

    /// Reads patterns of prefixes or values; nil where there are none.
    static func patterns(_ texts: [String]?, _ key: String, _ path: String) throws -> [PrefixPattern]? {
        do {
            return try texts?.map { try PrefixPattern($0) }
        } catch {
            let reason = "a pattern has 1 to 256 bytes, and %%user.id is the only placeholder"
            throw CommandError.malformedConfiguration(path, key: key, reason: reason)
        }
    }

    /// Who may use which partitions.
    struct Rules: Decodable {
        let userWrite: [String]?
        let userRead: [String]?
        let auditorRead: [String]?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case userWrite, userRead, auditorRead
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            userWrite = try container.decodeIfPresent([String].self, forKey: .userWrite)
            userRead = try container.decodeIfPresent([String].self, forKey: .userRead)
            auditorRead = try container.decodeIfPresent([String].self, forKey: .auditorRead)
        }

        func rules(of app: String, _ path: String) throws -> PartitionRules {
            func patterns(_ texts: [String]?, _ name: String) throws -> [PrefixPattern] {
                try ConfigurationFile.patterns(texts, "apps.\(app).partitionRules.\(name)", path) ?? [.all]
            }
            return PartitionRules(
                userWrite: try patterns(userWrite, "userWrite"),
                userRead: try patterns(userRead, "userRead"),
                auditorRead: try patterns(auditorRead, "auditorRead")
            )
        }
    }
}
