import AuditAdmission
import AuditHTTP

extension ConfigurationFile {
    /// How much users and apps may bring.
    struct Quotas: Decodable {
        let userMegabytesPerDay: Int?
        let appMegabytesPerDay: Int?
        let userPartitionsPerDay: Int?
        let appPartitionsPerDay: Int?
        let newUsersPerHour: Int?
        let developmentColumns: Int?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case userMegabytesPerDay, appMegabytesPerDay, userPartitionsPerDay, appPartitionsPerDay, newUsersPerHour
            case developmentColumns
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            userMegabytesPerDay = try container.decodeIfPresent(Int.self, forKey: .userMegabytesPerDay)
            appMegabytesPerDay = try container.decodeIfPresent(Int.self, forKey: .appMegabytesPerDay)
            userPartitionsPerDay = try container.decodeIfPresent(Int.self, forKey: .userPartitionsPerDay)
            appPartitionsPerDay = try container.decodeIfPresent(Int.self, forKey: .appPartitionsPerDay)
            newUsersPerHour = try container.decodeIfPresent(Int.self, forKey: .newUsersPerHour)
            developmentColumns = try container.decodeIfPresent(Int.self, forKey: .developmentColumns)
        }

        func quotas(_ path: String) throws -> ServerQuotas {
            var quotas = ServerQuotas()
            func apply(_ number: Int?, _ key: CodingKeys, _ range: ClosedRange<Int>, _ change: (Int) -> Void) throws {
                guard let number else { return }
                change(try ConfigurationFile.checked(number, range, "quotas.\(key.rawValue)", path))
            }
            let many = 1...1_000_000_000
            try apply(userMegabytesPerDay, .userMegabytesPerDay, many) { quotas.userBytesPerDay = $0 * 1_000_000 }
            try apply(appMegabytesPerDay, .appMegabytesPerDay, many) { quotas.appBytesPerDay = $0 * 1_000_000 }
            try apply(userPartitionsPerDay, .userPartitionsPerDay, many) { quotas.userPartitionsPerDay = $0 }
            try apply(appPartitionsPerDay, .appPartitionsPerDay, many) { quotas.appPartitionsPerDay = $0 }
            try apply(newUsersPerHour, .newUsersPerHour, many) { quotas.newUsersPerHour = $0 }
            try apply(developmentColumns, .developmentColumns, 0...500) { quotas.developmentColumns = $0 }
            return quotas
        }
    }
}
