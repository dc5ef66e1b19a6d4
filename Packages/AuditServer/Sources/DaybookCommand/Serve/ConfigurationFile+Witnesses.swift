import AuditArchives
import EventProofs
import LogPublishing

extension ConfigurationFile {
    /// Who cosigns the published log.
    struct Witnesses: Decodable {
        let quorum: Int?
        let seconds: Int?
        let list: [Witness]

        enum CodingKeys: String, CodingKey, CaseIterable {
            case quorum, seconds, list
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            quorum = try container.decodeIfPresent(Int.self, forKey: .quorum)
            seconds = try container.decodeIfPresent(Int.self, forKey: .seconds)
            list = try container.decode([Witness].self, forKey: .list)
        }

        func settings(_ path: String) throws -> WitnessSettings {
            let addresses = try list.enumerated().map { try $1.address("witnesses.list.\($0)", path) }
            do throws(LogPublishingError) {
                let seconds = seconds ?? WitnessSettings.none.seconds
                return try WitnessSettings(addresses, quorum: quorum, seconds: seconds)
            } catch {
                throw CommandError.malformedConfiguration(path, key: "witnesses", reason: error.reason)
            }
        }
    }

    /// One witness.
    struct Witness: Decodable {
        let url: String
        let key: String

        enum CodingKeys: String, CodingKey, CaseIterable {
            case url, key
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(knowing: CodingKeys.self)
            url = try container.decode(String.self, forKey: .url)
            key = try container.decode(String.self, forKey: .key)
        }

        func address(_ place: String, _ path: String) throws -> WitnessAddress {
            let verifierKey: NoteVerifierKey
            do throws(ProofError) {
                verifierKey = try NoteVerifierKey(parsing: key)
            } catch {
                let reason = "it is a key as 'daybook witness show' prints it, name+id+key"
                throw CommandError.malformedConfiguration(path, key: "\(place).key", reason: reason)
            }
            do throws(LogPublishingError) {
                return try WitnessAddress(url: url, key: verifierKey)
            } catch {
                throw CommandError.malformedConfiguration(path, key: place, reason: error.reason)
            }
        }
    }
}

extension LogPublishingError {
    /// What is wrong, without the name of what the key of the configuration names already.
    fileprivate var reason: String {
        if case .unusableWitness(_, let reason) = self { return reason }
        return "\(self)"
    }
}
