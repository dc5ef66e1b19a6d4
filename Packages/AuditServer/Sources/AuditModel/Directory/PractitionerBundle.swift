/// Practitioners and their roles in a Bundle of HL7 FHIR R4, as far as a directory reads them.
struct PractitionerBundle: Decodable {
    private struct Resource: Decodable {
        let resourceType: String
        let id: String?
        let identifier: [Identifier]?
        let name: [HumanName]?
        let practitioner: Reference?
        let code: [Concept]?
        let location: [Reference]?
        let organization: Reference?

        private enum CodingKeys: CodingKey {
            case resourceType, id, identifier, name, practitioner, code, location, organization
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            resourceType = try container.decode(String.self, forKey: .resourceType)
            id = try container.decodeIfPresent(String.self, forKey: .id)
            // Resources of other kinds have other things under these names.
            let isPerson = resourceType == "Practitioner"
            let isRole = resourceType == "PractitionerRole"
            identifier = isPerson ? try container.decodeIfPresent([Identifier].self, forKey: .identifier) : nil
            name = isPerson ? try container.decodeIfPresent([HumanName].self, forKey: .name) : nil
            practitioner = isRole ? try container.decodeIfPresent(Reference.self, forKey: .practitioner) : nil
            code = isRole ? try container.decodeIfPresent([Concept].self, forKey: .code) : nil
            location = isRole ? try container.decodeIfPresent([Reference].self, forKey: .location) : nil
            organization = isRole ? try container.decodeIfPresent(Reference.self, forKey: .organization) : nil
        }
    }

    private struct Entry: Decodable {
        let resource: Resource?
    }

    private struct Identifier: Decodable {
        let value: String?
    }

    private struct HumanName: Decodable {
        let text: String?
        let family: String?
        let given: [String]?
        let prefix: [String]?

        var whole: String? {
            if let text { return text }
            let parts = (prefix ?? []) + (given ?? []) + [family].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: " ")
        }
    }

    private struct Reference: Decodable {
        let reference: String?
        let display: String?
    }

    private struct Concept: Decodable {
        struct Coding: Decodable {
            let display: String?
            let code: String?
        }
        let text: String?
        let coding: [Coding]?

        var words: String? { text ?? coding?.first?.display ?? coding?.first?.code }
    }

    private let resourceType: String
    private let entry: [Entry]?

    /// Whether it is a Bundle at all.
    var isBundle: Bool { resourceType == "Bundle" }

    /// The practitioners, each under every id.
    var people: [DirectoryPerson] {
        let resources = (entry ?? []).compactMap(\.resource)
        var roles: [(practitioner: String, role: Resource)] = []
        for role in resources where role.resourceType == "PractitionerRole" {
            if let name = role.practitioner?.reference?.split(separator: "/").last {
                roles.append((String(name), role))
            }
        }
        let byPractitioner = Dictionary(roles.map { (Array($0.practitioner.utf8), $0.role) }) { first, _ in first }
        return resources.filter { $0.resourceType == "Practitioner" }
            .flatMap { person -> [DirectoryPerson] in
                guard let name = person.name?.compactMap(\.whole).first else { return [] }
                let role = person.id.flatMap { byPractitioner[Array($0.utf8)] }
                let unit = role?.location?.first?.display ?? role?.organization?.display
                return ([person.id] + (person.identifier ?? []).map(\.value)).compactMap(\.self).filter { !$0.isEmpty }
                    .map { DirectoryPerson(id: $0, name: name, role: role?.code?.first?.words, unit: unit) }
            }
    }
}
