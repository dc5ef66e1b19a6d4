public import Foundation

/// A row of an earlier run, as far as another run is compared with it.
public struct EarlierRow: Sendable, Hashable, Decodable {
    /// The name.
    public let name: String
    /// Our figure.
    public let ours: Double
    /// Our figure divided by the floor; nil without a floor.
    public let ratio: Double?
    /// The unit of our figure.
    public let unit: String
    /// How far the rounds differed, as in ``Row/spread``; nil where the run did not say.
    public let spread: Double?

    /// Creates a row.
    public init(name: String, ours: Double, ratio: Double?, unit: String, spread: Double?) {
        self.name = name
        self.ours = ours
        self.ratio = ratio
        self.unit = unit
        self.spread = spread
    }

    /// Reads the rows that an earlier run wrote as JSON.
    ///
    /// - Parameter json: An array of rows.
    /// - Returns: The rows, in the order of the file.
    /// - Throws: ``EarlierRowsError`` when that is not what it is.
    public static func rows(from json: Data) throws(EarlierRowsError) -> [EarlierRow] {
        do {
            let rows = try JSONDecoder().decode([EarlierRow].self, from: json)
            guard Set(rows.map(\.name)).count == rows.count else { throw EarlierRowsError.repeatedName }
            return rows
        } catch {
            throw (error as? EarlierRowsError) ?? .notRows
        }
    }
}

/// A file is not what a run of the benchmarks writes.
public enum EarlierRowsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Thrown when the file is not an array of rows.
    case notRows
    /// Thrown when two rows have the same name.
    case repeatedName

    /// What is wrong, in a sentence.
    public var description: String {
        switch self {
        case .notRows: "It is not a JSON array of rows, as --json writes it."
        case .repeatedName: "Two of its rows have the same name."
        }
    }
}
