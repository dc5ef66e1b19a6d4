import AuditAccounts
import AuditAdmission
import AuditArchives
import AuditHTTP
import AuditModel
import Foundation
import PostgreSQLStore

extension ConfigurationFile {
    /// The keys of the file, as they are written.
    struct Contents: Decodable {
        let host: String?
        let port: Int?
        let data: String?
        let postgres: Postgres?
        let logLevel: String?
        let developmentMode: Bool?
        let clientAddressHeader: String?
        let tls: TLS?
        let limits: Limits?
        let quotas: Quotas?
        let exports: Exports?
        let apps: [String: App]?
        let alerts: Alerts?
        let unmaskingPurposes: [String]?
        let retentionPercentPerDay: Int?
        let earlierKeys: [String]?
        let logOrigin: String?
        let witnesses: Witnesses?
        let timeStamps: TimeStamps?
        let logBucket: LogBucket?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case host, port, data, postgres, logLevel, developmentMode, clientAddressHeader, tls, limits, apps, alerts
            case quotas, exports, unmaskingPurposes, retentionPercentPerDay, earlierKeys, logOrigin, witnesses
            case timeStamps, logBucket
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            host = try container.decodeIfPresent(String.self, forKey: .host)
            port = try container.decodeIfPresent(Int.self, forKey: .port)
            data = try container.decodeIfPresent(String.self, forKey: .data)
            postgres = try container.decodeIfPresent(Postgres.self, forKey: .postgres)
            logLevel = try container.decodeIfPresent(String.self, forKey: .logLevel)
            developmentMode = try container.decodeIfPresent(Bool.self, forKey: .developmentMode)
            clientAddressHeader = try container.decodeIfPresent(String.self, forKey: .clientAddressHeader)
            tls = try container.decodeIfPresent(TLS.self, forKey: .tls)
            limits = try container.decodeIfPresent(Limits.self, forKey: .limits)
            quotas = try container.decodeIfPresent(Quotas.self, forKey: .quotas)
            exports = try container.decodeIfPresent(Exports.self, forKey: .exports)
            apps = try container.decodeIfPresent([String: App].self, forKey: .apps)
            alerts = try container.decodeIfPresent(Alerts.self, forKey: .alerts)
            unmaskingPurposes = try container.decodeIfPresent([String].self, forKey: .unmaskingPurposes)
            retentionPercentPerDay = try container.decodeIfPresent(Int.self, forKey: .retentionPercentPerDay)
            earlierKeys = try container.decodeIfPresent([String].self, forKey: .earlierKeys)
            logOrigin = try container.decodeIfPresent(String.self, forKey: .logOrigin)
            witnesses = try container.decodeIfPresent(Witnesses.self, forKey: .witnesses)
            timeStamps = try container.decodeIfPresent(TimeStamps.self, forKey: .timeStamps)
            logBucket = try container.decodeIfPresent(LogBucket.self, forKey: .logBucket)
        }
    }

    /// The database for the events, when it is not the one in the data folder.
    struct Postgres: Decodable {
        let address: String
        let storingConnections: Int?
        let readingConnections: Int?
        let keyFile: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case address, storingConnections, readingConnections, keyFile
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            address = try container.decode(String.self, forKey: .address)
            storingConnections = try container.decodeIfPresent(Int.self, forKey: .storingConnections)
            readingConnections = try container.decodeIfPresent(Int.self, forKey: .readingConnections)
            keyFile = try container.decodeIfPresent(String.self, forKey: .keyFile)
        }

        func configuration(_ path: String) throws -> PostgreSQLConfiguration {
            var configuration = PostgreSQLConfiguration(address: address)
            guard !configuration.hasPassword else {
                throw CommandError.malformedConfiguration(
                    path,
                    key: "postgres.address",
                    reason: "it holds a password; set PGPASSWORD, or name a file in PGPASSFILE"
                )
            }
            if let storingConnections {
                configuration.storingConnections = try ConfigurationFile.checked(
                    storingConnections,
                    1...1000,
                    "postgres.storingConnections",
                    path
                )
            }
            if let readingConnections {
                configuration.readingConnections = try ConfigurationFile.checked(
                    readingConnections,
                    1...1000,
                    "postgres.readingConnections",
                    path
                )
            }
            return configuration
        }
    }

    /// The certificate.
    struct TLS: Decodable {
        let certificateChain: String
        let privateKey: String

        enum CodingKeys: String, CodingKey, CaseIterable {
            case certificateChain, privateKey
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            certificateChain = try container.decode(String.self, forKey: .certificateChain)
            privateKey = try container.decode(String.self, forKey: .privateKey)
        }
    }

    /// What one client may ask; a rate is how often in a minute, and a sixth of it at once.
    struct Limits: Decodable {
        let requestsPerMinute: Int?
        let signInsPerMinute: Int?
        let connections: Int?
        let idleSeconds: Int?
        let bodySeconds: Int?
        let unmaskingsPerMinute: Int?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case requestsPerMinute, signInsPerMinute, connections, idleSeconds, bodySeconds, unmaskingsPerMinute
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            requestsPerMinute = try container.decodeIfPresent(Int.self, forKey: .requestsPerMinute)
            signInsPerMinute = try container.decodeIfPresent(Int.self, forKey: .signInsPerMinute)
            connections = try container.decodeIfPresent(Int.self, forKey: .connections)
            idleSeconds = try container.decodeIfPresent(Int.self, forKey: .idleSeconds)
            bodySeconds = try container.decodeIfPresent(Int.self, forKey: .bodySeconds)
            unmaskingsPerMinute = try container.decodeIfPresent(Int.self, forKey: .unmaskingsPerMinute)
        }

        func limits(_ path: String) throws -> ServerLimits {
            var limits = ServerLimits()
            if let requestsPerMinute {
                limits.requests = try Self.rate(requestsPerMinute, "limits.requestsPerMinute", path)
            }
            if let signInsPerMinute {
                limits.signIns = try Self.rate(signInsPerMinute, "limits.signInsPerMinute", path)
            }
            if let unmaskingsPerMinute {
                limits.unmaskings = try Self.rate(unmaskingsPerMinute, "limits.unmaskingsPerMinute", path)
            }
            if let connections {
                limits.connections = try checked(connections, 1...100_000, "limits.connections", path)
            }
            if let idleSeconds {
                limits.idleSeconds = try checked(idleSeconds, 1...3600, "limits.idleSeconds", path)
            }
            if let bodySeconds {
                limits.bodySeconds = try checked(bodySeconds, 1...3600, "limits.bodySeconds", path)
            }
            return limits
        }

        private static func rate(_ number: Int, _ key: String, _ path: String) throws -> ServerLimits.Rate {
            let perMinute = try checked(number, 1...1_000_000, key, path)
            return ServerLimits.Rate(perMinute: perMinute, burst: max(1, perMinute / 6))
        }
    }

    /// How tokens of another identity provider are checked.
    struct Tokens: Decodable {
        let algorithm: String
        let keyFile: String
        let audience: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case algorithm, keyFile, audience
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            algorithm = try container.decode(String.self, forKey: .algorithm)
            keyFile = try container.decode(String.self, forKey: .keyFile)
            audience = try container.decodeIfPresent(String.self, forKey: .audience)
        }

        func tokens(of app: String, _ resolve: (String) -> String, _ path: String) async throws -> CustomTokens {
            let file = resolve(keyFile)
            guard let bytes = try PrivateFile.read(file) else { throw CommandError.missingFile(file) }
            let key: CustomTokens.Key
            switch algorithm {
            case "HS256": key = .secret(bytes)
            case "RS256": key = .rsa(pem: String(decoding: bytes, as: UTF8.self))
            case "ES256": key = .ecdsa(pem: String(decoding: bytes, as: UTF8.self))
            default:
                let name = "apps.\(app).customTokens.algorithm"
                throw CommandError.malformedConfiguration(path, key: name, reason: "it is HS256, RS256 or ES256")
            }
            do {
                return try await CustomTokens(key: key, audience: audience ?? app)
            } catch {
                let name = "apps.\(app).customTokens.keyFile"
                throw CommandError.malformedConfiguration(path, key: name, reason: "\(file) holds no such key")
            }
        }
    }
}

// MARK: - Reading

extension ConfigurationFile.Contents {
    /// Reads JSON5.
    ///
    /// - Throws: `CommandError.malformedConfiguration(_:key:reason:)`.
    init(_ bytes: Data, path: String) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            self = try decoder.decode(Self.self, from: bytes)
        } catch let error as UnknownKey {
            throw CommandError.malformedConfiguration(path, key: error.key, reason: error.reason)
        } catch let error as DecodingError {
            let (key, reason) = error.place
            throw CommandError.malformedConfiguration(path, key: key, reason: reason)
        }
    }
}

/// A key that nobody reads.
private struct UnknownKey: Error {
    let key: String
    let reason: String
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Gives the container of an object, all of whose keys are known.
    func container<Key: CodingKey & CaseIterable>(
        knowing keys: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        for key in try container(keyedBy: AnyKey.self).allKeys where Key(stringValue: key.stringValue) == nil {
            let known = Key.allCases.map(\.stringValue).joined(separator: ", ")
            let name = (codingPath + [key]).map(\.stringValue).joined(separator: ".")
            throw UnknownKey(key: name, reason: "it is not one of \(known)")
        }
        return try container(keyedBy: keys)
    }
}
