/// Users as SCIM 2.0 lists them (RFC 7643 and RFC 7644), as far as a directory reads them.
struct ProvisionedUsers: Decodable {
    private struct User: Decodable {
        let id: String?
        let userName: String?
        let externalId: String?
        let displayName: String?
        let name: Name?
        let title: String?
        let emails: [Email]?
        let enterprise: Enterprise?

        private enum CodingKeys: String, CodingKey {
            case id, userName, externalId, displayName, name, title, emails
            case enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
        }

        var whole: String? {
            if let formatted = name?.formatted ?? displayName { return formatted }
            let parts = [name?.givenName, name?.familyName].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: " ")
        }

        var ids: [String] {
            ([id, userName, externalId] + (emails ?? []).map(\.value)).compactMap(\.self).filter { !$0.isEmpty }
        }
    }

    private struct Name: Decodable {
        let formatted: String?
        let givenName: String?
        let familyName: String?
    }

    private struct Email: Decodable {
        let value: String?
    }

    private struct Enterprise: Decodable {
        let department: String?
    }

    private enum CodingKeys: String, CodingKey {
        case resources = "Resources"
    }

    private let resources: [User]

    init(from decoder: any Decoder) throws {
        // A list answer has its users in `Resources`; an export may be the list alone.
        if let container = try? decoder.container(keyedBy: CodingKeys.self) {
            resources = try container.decode([User].self, forKey: .resources)
        } else {
            resources = try decoder.singleValueContainer().decode([User].self)
        }
    }

    /// The users, each under every id.
    var people: [DirectoryPerson] {
        resources.flatMap { user -> [DirectoryPerson] in
            guard let name = user.whole else { return [] }
            return user.ids.map {
                DirectoryPerson(id: $0, name: name, role: user.title, unit: user.enterprise?.department)
            }
        }
    }
}
