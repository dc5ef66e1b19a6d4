import EventModel
import Foundation
import GRDB
import ObjectQueries

extension QueryFunctions {
    /// The functions as GRDB registers them on a connection.
    static var registrations: [DatabaseFunction] {
        [
            DatabaseFunction(foldName, argumentCount: 2, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]), let bits = Int.fromDatabaseValue(values[1]) else {
                    return nil
                }
                return fold(text, QueryPredicate.Options(rawValue: bits))
            },
            DatabaseFunction(likeName, argumentCount: 2, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]),
                    let pattern = String.fromDatabaseValue(values[1])
                else { return nil }
                return isLike(text, pattern: pattern)
            },
            DatabaseFunction(decimalKeyName, argumentCount: 1, pure: true) { values in
                guard case .blob(let data) = values[0].storage else { return nil }
                return data.withUnsafeBytes { decimal(blob: $0) }.map { Data(decimalKey($0)) }
            },
        ]
    }
}
