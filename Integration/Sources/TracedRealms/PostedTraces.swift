import Daybook
public import Foundation

/// What transactions posted, as the server has it.
public struct PostedTraces: Sendable {
    /// A line of `daybook objects`.
    private struct Line: Decodable {
        struct Posting: Decodable {
            let _id: String
        }

        let realm: String
        let object: Posting
    }

    /// The name of the class of what is posted.
    public static let className = Posting.className()

    private var keys: [String: [String]] = [:]

    /// Reads what `daybook objects` says of the class.
    ///
    /// - Parameter lines: Its lines of JSON.
    /// - Throws: What decoding throws.
    public init(_ lines: [Data]) throws {
        let decoder = JSONDecoder()
        for line in lines {
            let line = try decoder.decode(Line.self, from: line)
            keys[line.realm, default: []].append(line.object._id)
        }
    }

    /// Finds out whether the server has what each transaction of a realm posted once, and what one maker did in its order.
    ///
    /// - Parameters:
    ///   - value: The partition value of the realm, a string.
    ///   - traces: The transactions that its devices have.
    /// - Returns: The first thing that is wrong, as a part of a sentence; nil when all is well.
    public func problem(of value: String, traces: Set<String>) -> String? {
        let posted = keys["s_\(value)", default: []]
        guard Set(posted) == traces else {
            return "the server has \(posted.count) posted objects of \(traces.count) transactions"
        }
        guard posted.count == traces.count else { return "the server has a posted object twice" }
        var last: [Substring: Int] = [:]
        for key in posted {
            let words = key.split(separator: ".")
            guard words.count == 2, let number = Int(words[1]), number > last[words[0]] ?? 0 else {
                return "the posted object \(key) is not in its order"
            }
            last[words[0]] = number
        }
        return nil
    }
}
