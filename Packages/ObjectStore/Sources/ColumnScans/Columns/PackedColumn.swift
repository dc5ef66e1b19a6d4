package import EventModel
package import ObjectQueries

/// The values of one property, by row, packed so that all of them are looked at in microseconds.
package enum PackedColumn: Sendable {
    case integers(IntegerColumn)
    case numbers(FloatingColumn)
    /// Texts, and what they are in the forms that were asked for.
    case texts(TextColumn, folded: [QueryPredicate.Options: TextColumn])

    /// Creates an empty column.
    ///
    /// - Returns: nil for a type whose values SQLite compares better.
    package init?(_ kind: PropertyShape.Kind) {
        switch kind {
        case .int, .bool, .link: self = .integers(IntegerColumn())
        case .float, .double, .date: self = .numbers(FloatingColumn())
        case .string: self = .texts(TextColumn(), folded: [:])
        case .data, .objectId, .uuid, .decimal128, .any, .embedded: return nil
        }
    }

    /// How many bytes it takes.
    package var byteCount: Int {
        switch self {
        case .integers(let column): column.byteCount
        case .numbers(let column): column.byteCount
        case .texts(let column, let folded): folded.values.reduce(column.byteCount) { $0 + $1.byteCount }
        }
    }

    /// Writes the value of a row into a slot, as its property has it; nothing where there is none.
    @inline(__always)
    package func pack(_ row: Int, into writer: inout SnapshotWriter, _ slot: Int, as kind: PropertyShape.Kind) {
        switch self {
        case .integers(let column):
            if !column.isMissing(row) { writer.set(slot, int: column.values[row]) }
        case .numbers(let column):
            guard !column.isMissing(row) else { return }
            if kind == .float {
                writer.set(slot, float: Float(column.values[row]))
            } else {
                writer.set(slot, double: column.values[row])
            }
        case .texts(let column, _):
            if !column.isMissing(row) { column.withText(row) { writer.setBytes(slot, $0) } }
        }
    }

    /// Makes rows that have this property only; what most loops over objects read.
    package func packAlone(
        _ keys: [Int64],
        at places: ArraySlice<Int>,
        into writer: inout SnapshotWriter,
        _ slot: Int,
        _ kind: PropertyShape.Kind,
        _ version: UInt64,
        into rows: inout [ObjectSnapshot]
    ) {
        switch self {
        case .integers(let column):
            for place in places {
                writer.begin(key: keys[place], version: version)
                if !column.isMissing(place) { writer.set(slot, int: column.values[place]) }
                rows.append(writer.finish())
            }
        case .numbers(let column) where kind != .float:
            for place in places {
                writer.begin(key: keys[place], version: version)
                if !column.isMissing(place) { writer.set(slot, double: column.values[place]) }
                rows.append(writer.finish())
            }
        case .numbers, .texts:
            for place in places {
                writer.begin(key: keys[place], version: version)
                pack(place, into: &writer, slot, as: kind)
                rows.append(writer.finish())
            }
        }
    }

    /// Adds the rows that follow.
    ///
    /// - Returns: False when there is too much for one column; it must not be used then.
    package mutating func append(contentsOf other: PackedColumn) -> Bool {
        switch (consume self, other) {
        case (.integers(var column), .integers(let other)):
            column.append(contentsOf: other)
            self = .integers(column)
        case (.numbers(var column), .numbers(let other)):
            column.append(contentsOf: other)
            self = .numbers(column)
        case (.texts(var column, var folded), .texts(let other, _)):
            var fits = column.append(contentsOf: other)
            for options in folded.keys {
                let new = other.folded(options)
                fits = new.map { folded[options]?.append(contentsOf: $0) ?? true } ?? false && fits
            }
            self = .texts(column, folded: folded)
            return fits
        case (let column, _):
            self = column
            return false
        }
        return true
    }

    /// Puts rows among those that are there.
    ///
    /// - Returns: False when there is too much for one column; it must not be used then.
    mutating func merge(_ other: PackedColumn, _ order: MergedOrder) -> Bool {
        switch (consume self, other) {
        case (.integers(var column), .integers(let other)):
            column.merge(other, order)
            self = .integers(column)
        case (.numbers(var column), .numbers(let other)):
            column.merge(other, order)
            self = .numbers(column)
        case (.texts(var column, var folded), .texts(let other, _)):
            var fits = column.merge(other, order)
            for options in folded.keys {
                let new = other.folded(options)
                fits = new.map { folded[options]?.merge($0, order) ?? true } ?? false && fits
            }
            self = .texts(column, folded: folded)
            return fits
        case (let column, _):
            self = column
            return false
        }
        return true
    }

    /// Replaces the values of rows by those of rows of another column of the same type.
    ///
    /// - Returns: False when there is too much for one column; it must not be used then.
    package mutating func replace(_ rows: [(row: Int, by: Int)], from other: PackedColumn) -> Bool {
        switch (consume self, other) {
        case (.integers(var column), .integers(let other)):
            for (row, otherRow) in rows { column.replace(row, by: other, at: otherRow) }
            self = .integers(column)
        case (.numbers(var column), .numbers(let other)):
            for (row, otherRow) in rows { column.replace(row, by: other, at: otherRow) }
            self = .numbers(column)
        case (.texts(var column, var folded), .texts(let other, _)):
            for (row, otherRow) in rows { column.replace(row, by: other, at: otherRow) }
            for options in folded.keys {
                guard let new = other.folded(options) else {
                    self = .texts(column, folded: [:])
                    return false
                }
                for (row, otherRow) in rows { folded[options]?.replace(row, by: new, at: otherRow) }
            }
            self = .texts(column, folded: folded)
        case (let column, _):
            self = column
            return false
        }
        return true
    }

    /// Keeps some rows only.
    package mutating func keep(_ rows: RowSet) {
        switch consume self {
        case .integers(var column):
            column.keep(rows)
            self = .integers(column)
        case .numbers(var column):
            column.keep(rows)
            self = .numbers(column)
        case .texts(var column, var folded):
            column.keep(rows)
            for options in folded.keys { folded[options]?.keep(rows) }
            self = .texts(column, folded: folded)
        }
    }
}
