/// Why the rules could not be checked at all.
package enum HouseRulesError: Error, Sendable, Equatable {
    /// Thrown when the JSON of a manifest lacks something that every manifest has.
    case malformedManifest(String)
    /// Thrown when the arguments of the program make no sense.
    case usage(String)
}

extension HouseRulesError: CustomStringConvertible {
    /// The reason in a sentence.
    package var description: String {
        switch self {
        case .malformedManifest(let reason): "A manifest cannot be read. \(reason)"
        case .usage(let reason): reason
        }
    }
}
