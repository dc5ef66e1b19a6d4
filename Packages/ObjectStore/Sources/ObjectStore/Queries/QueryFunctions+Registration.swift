import CSQLite
import EventModel
import ObjectQueries

// The functions of queries, as SQLite calls them: on the thread of the statement, with values that live as long as the call.
extension QueryFunctions {
    /// What SQLite hands to a function: where the result goes, how many arguments there are, and the arguments.
    private typealias Call = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    private typealias End = @convention(c) (OpaquePointer?) -> Void

    /// Registers the functions on a connection.
    ///
    /// - Throws: A `Realm.Error` when there is no memory.
    static func register(on connection: Connection) throws(Realm.Error) {
        func add(_ name: String, _ count: Int32, _ call: Call?, step: Call? = nil, end: End? = nil) throws(Realm.Error)
        {
            let kind = SQLITE_UTF8 | SQLITE_DETERMINISTIC
            let code = sqlite3_create_function_v2(connection.handle, name, count, kind, nil, call, step, end, nil)
            guard code == SQLITE_OK else { throw connection.failure(code) }
        }
        try add(foldName, 2, { context, _, values in QueryFunctions.foldCall(context, values) })
        try add(likeName, 2, { context, _, values in QueryFunctions.likeCall(context, values) })
        try add(decimalKeyName, 1, { context, _, values in QueryFunctions.decimalKeyCall(context, values) })
        try add(geoWithinName, 3, { context, _, values in PreparedArea.call(context, values) })
        let step: Call = { context, _, values in Summing.of(context)?.add(values?[0]) }
        try add(decimalSumName, 1, nil, step: step) { context in
            QueryFunctions.returnDecimal(Summing.end(context).sum, context)
        }
        try add(decimalMeanName, 1, nil, step: step) { context in
            QueryFunctions.returnDecimal(Summing.end(context).mean, context)
        }
    }

    // MARK: Functions of one row

    private static func foldCall(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let values, let text = string(values[0]), sqlite3_value_type(values[1]) == SQLITE_INTEGER else {
            return sqlite3_result_null(context)
        }
        let options = QueryPredicate.Options(rawValue: Int(sqlite3_value_int64(values[1])))
        var folded = fold(text, options)
        folded.withUTF8 { returnBytes(UnsafeRawBufferPointer($0), context) }
    }

    private static func likeCall(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let values, let text = string(values[0]), let pattern = string(values[1]) else {
            return sqlite3_result_null(context)
        }
        sqlite3_result_int(context, isLike(text, pattern: pattern) ? 1 : 0)
    }

    private static func decimalKeyCall(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
        let value = values?[0]
        let number: Decimal128? =
            switch sqlite3_value_type(value) {
            case SQLITE_BLOB: blob(value).flatMap { decimal(blob: $0) }
            case SQLITE_INTEGER: Decimal128(sqlite3_value_int64(value))
            case SQLITE_FLOAT: Decimal128(sqlite3_value_double(value))
            default: nil
            }
        returnDecimal(number.flatMap { $0.isNaN ? nil : $0 }, context)
    }

    // MARK: Values

    /// The bytes of a value; nil when it has another type.
    fileprivate static func blob(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// The text of bytes: what is not UTF-8 is replaced, as everywhere.
    private static func string(_ value: OpaquePointer?) -> String? {
        blob(value).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func returnBytes(_ bytes: UnsafeRawBufferPointer, _ context: OpaquePointer?) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob64(context, start, UInt64(bytes.count), copied)
    }

    /// Returns the key of a decimal, or NULL.
    private static func returnDecimal(_ number: Decimal128?, _ context: OpaquePointer?) {
        guard let number else { return sqlite3_result_null(context) }
        decimalKey(number).withUnsafeBytes { returnBytes($0, context) }
    }
}

/// A sum that grows while a statement goes through its rows.
private final class Summing {
    private var total = DecimalSum()

    /// Adds the number behind a key; anything else is left out.
    func add(_ key: OpaquePointer?) {
        if let key = QueryFunctions.blob(key) { total.add(key: key) }
    }

    /// The sum of a run, made with its first row; nil when there is no memory.
    static func of(_ context: OpaquePointer?) -> Summing? {
        guard let place = place(context, isNeeded: true) else { return nil }
        if let known = place.pointee { return Unmanaged<Summing>.fromOpaque(known).takeUnretainedValue() }
        let made = Summing()
        place.pointee = Unmanaged.passRetained(made).toOpaque()
        return made
    }

    /// Ends a run, which SQLite does exactly once, also after an error.
    static func end(_ context: OpaquePointer?) -> DecimalSum {
        guard let known = place(context, isNeeded: false)?.pointee else { return DecimalSum() }
        return Unmanaged<Summing>.fromOpaque(known).takeRetainedValue().total
    }

    /// Where SQLite keeps a pointer for the run, null at first.
    private static func place(_ context: OpaquePointer?, isNeeded: Bool) -> UnsafeMutablePointer<
        UnsafeMutableRawPointer?
    >? {
        let byteCount = isNeeded ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
        return sqlite3_aggregate_context(context, byteCount)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }
}
