import EventModel
import Foundation
import GRDB
import ObjectQueries

extension QueryFunctions {
    /// The functions as GRDB registers them on a connection.
    static var registrations: [DatabaseFunction] {
        [
            DatabaseFunction(foldName, argumentCount: 2, pure: true) { values in
                guard let text = decoded(values[0]), let bits = Int.fromDatabaseValue(values[1]) else { return nil }
                return Data(fold(text, QueryPredicate.Options(rawValue: bits)).utf8)
            },
            DatabaseFunction(likeName, argumentCount: 2, pure: true) { values in
                guard let text = decoded(values[0]), let pattern = decoded(values[1]) else { return nil }
                return isLike(text, pattern: pattern)
            },
            DatabaseFunction(decimalKeyName, argumentCount: 1, pure: true) { values in
                let number: Decimal128? =
                    switch values[0].storage {
                    case .blob(let data): data.withUnsafeBytes { decimal(blob: $0) }
                    case .int64(let number): Decimal128(number)
                    case .double(let number): Decimal128(number)
                    case .null, .string: nil
                    }
                return number.flatMap { $0.isNaN ? nil : Data(decimalKey($0)) }
            },
            DatabaseFunction(decimalSumName, argumentCount: 1, pure: true, aggregate: SumOfDecimals.self),
            DatabaseFunction(decimalMeanName, argumentCount: 1, pure: true, aggregate: MeanOfDecimals.self),
        ]
    }

    /// The text of bytes: what is not UTF-8 is replaced, as everywhere.
    private static func decoded(_ value: DatabaseValue) -> String? {
        guard case .blob(let bytes) = value.storage else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The sum of sortable decimals, as an aggregate of SQL.
private struct SumOfDecimals: DatabaseAggregate {
    private var total = DecimalSum()

    mutating func step(_ values: [DatabaseValue]) {
        total.add(values[0])
    }

    func finalize() -> (any DatabaseValueConvertible)? {
        Data(QueryFunctions.decimalKey(total.sum))
    }
}

/// The mean of sortable decimals, as an aggregate of SQL.
private struct MeanOfDecimals: DatabaseAggregate {
    private var total = DecimalSum()

    mutating func step(_ values: [DatabaseValue]) {
        total.add(values[0])
    }

    func finalize() -> (any DatabaseValueConvertible)? {
        total.mean.map { Data(QueryFunctions.decimalKey($0)) }
    }
}

extension DecimalSum {
    fileprivate mutating func add(_ value: DatabaseValue) {
        guard case .blob(let key) = value.storage else { return }
        key.withUnsafeBytes { add(key: $0) }
    }
}
