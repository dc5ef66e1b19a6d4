/// A question to the people of a plain SQLite file, prepared once; each reading goes through the C API alone.
///
/// One thread at a time, that of its people.
public final class RawQuery {
    /// A value that takes the place of a question mark.
    public enum Parameter: Sendable {
        case int(Int)
        case real(Double)
        case text(String)
    }

    // Keeps the file open until the statement is finalized.
    private let people: RawPeople
    private let statement: RawStatement

    init(_ statement: RawStatement, of people: RawPeople) {
        self.statement = statement
        self.people = people
    }

    deinit {
        statement.finalize()
    }

    /// Reads the first column of the first row.
    ///
    /// - Parameter parameters: The values for the question marks, in their order.
    /// - Returns: The number; 0 when there is no row.
    public func number(_ parameters: Parameter...) -> Double {
        bind(parameters)
        defer { statement.reset() }
        return statement.step() ? statement.double(0) : 0
    }

    /// Reads the first column of every row.
    ///
    /// - Parameter parameters: The values for the question marks, in their order.
    /// - Returns: The sum of its numbers.
    /// - Complexity: O(*n*) in the count of rows that are found, and what it takes SQLite to find them.
    public func sumOfFirstColumn(_ parameters: Parameter...) -> Int {
        bind(parameters)
        defer { statement.reset() }
        var sum = 0
        while statement.step() { sum &+= statement.int(0) }
        return sum
    }

    /// Reads the first column of every row as a text.
    ///
    /// - Parameter parameters: The values for the question marks, in their order.
    /// - Returns: The sum of the counts of bytes.
    /// - Complexity: O(*n*) in the count of rows that are found, and what it takes SQLite to find them.
    public func bytesOfFirstColumn(_ parameters: Parameter...) -> Int {
        bind(parameters)
        defer { statement.reset() }
        var sum = 0
        while statement.step() { sum &+= statement.bytes(0) }
        return sum
    }

    /// Reads all six columns of every person that is found.
    ///
    /// - Parameter parameters: The values for the question marks, in their order.
    /// - Returns: The sum of the numbers, the first bytes of the texts and their counts of bytes.
    /// - Complexity: O(*n*) in the count of rows that are found, and what it takes SQLite to find them.
    public func sumOfPeople(_ parameters: Parameter...) -> Int {
        bind(parameters)
        defer { statement.reset() }
        var sum = 0
        while statement.step() { sum &+= statement.sumOfColumns() }
        return sum
    }

    private func bind(_ parameters: [Parameter]) {
        for (index, parameter) in zip(Int32(1)..., parameters) {
            switch parameter {
            case .int(let value): statement.bind(index, value)
            case .real(let value): statement.bind(index, value)
            case .text(let value): statement.bind(index, value)
            }
        }
    }
}

extension RawPeople {
    /// Prepares a question.
    ///
    /// - Parameter sql: A statement that reads the table `person`.
    /// - Returns: The question, which can be asked again and again.
    /// - Throws: ``RawDatabaseError`` when SQLite refuses.
    public func query(_ sql: String) throws -> RawQuery { RawQuery(try statement(sql), of: self) }
}
