import Foundation

/// The bytes of one transaction in the change log.
///
/// A format byte, then for each class: its name, the signature of its properties, flags, the runs of new keys and those
/// of modified keys with their slots. Numbers are LEB128, keys are differences to the key behind the run before them.
enum ChangePayload {
    private static let format: UInt8 = 1
    /// How long a class may get before only its overrun is written.
    static let maximumClassByteCount = 8 << 10
    /// How long all may get before nothing but an empty payload is written, which says that anything may have changed.
    static let maximumByteCount = 32 << 10

    // MARK: Writing

    /// Packs the changes of a transaction.
    ///
    /// - Parameter changes: Those of each class, with a number that changes with the order of its properties.
    /// - Returns: The bytes; only the format when nothing changed or it would be too much.
    static func bytes(_ changes: some Sequence<(name: String, signature: UInt32, changes: LoggedClass)>) -> [UInt8] {
        var bytes: [UInt8] = [format]
        for (name, signature, changes) in changes {
            let start = bytes.count
            append(name, signature, changes, to: &bytes)
            guard bytes.count - start > maximumClassByteCount else { continue }
            bytes.removeSubrange(start...)
            let short = LoggedClass(hasDeletions: changes.hasDeletions, isOverrun: true)
            append(name, signature, short, to: &bytes)
        }
        return bytes.count > maximumByteCount ? [] : bytes
    }

    private static func append(_ name: String, _ signature: UInt32, _ changes: LoggedClass, to bytes: inout [UInt8]) {
        append(UInt64(name.utf8.count), to: &bytes)
        bytes += name.utf8
        append(UInt64(signature), to: &bytes)
        append((changes.hasDeletions ? 1 : 0) | (changes.isOverrun ? 2 : 0), to: &bytes)
        append(UInt64(changes.inserted.runs.count), to: &bytes)
        var next: Int64 = 0
        for keys in changes.inserted.runs { append(keys, after: &next, to: &bytes) }
        append(UInt64(changes.modified.runs.count), to: &bytes)
        next = 0
        for run in changes.modified.runs {
            append(run.keys, after: &next, to: &bytes)
            append(run.slots.bits, to: &bytes)
        }
    }

    /// Appends a run; the differences wrap, so that there is one between any two keys.
    private static func append(_ keys: ClosedRange<Int64>, after next: inout Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: keys.lowerBound &- next), to: &bytes)
        append(UInt64(bitPattern: keys.upperBound &- keys.lowerBound) &+ 1, to: &bytes)
        next = keys.upperBound &+ 1
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    // MARK: Reading

    /// Unpacks the changes of a transaction.
    ///
    /// - Parameters:
    ///   - bytes: What was packed, by this program or another.
    ///   - signature: Returns the number of a class as this program knows it; nil for an unknown class.
    /// - Returns: nil when the bytes say nothing, are of a later format or are damaged.
    static func changes(_ bytes: UnsafeRawBufferPointer, signature: (String) -> UInt32?) -> LoggedChanges? {
        var reader = Reader(bytes: bytes)
        guard reader.byte() == format else { return nil }
        var changes = LoggedChanges()
        while !reader.isAtEnd {
            guard let (name, written, class_) = reader.classChanges() else { return nil }
            guard let known = signature(name) else { continue }
            var logged = class_
            // A program that declares the properties in another order means others by its slots.
            if UInt64(known) != written {
                logged.modified = ModifiedRows(logged.modified.runs.map { .init(keys: $0.keys, slots: .all) })
                logged.modified.normalize()
            }
            changes.classes[name] = logged
        }
        return changes
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        private var position = 0

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        var isAtEnd: Bool { position >= bytes.count }

        mutating func byte() -> UInt8? {
            guard position < bytes.count else { return nil }
            defer { position += 1 }
            return bytes[position]
        }

        mutating func number() -> UInt64? {
            var result: UInt64 = 0
            var shift: UInt64 = 0
            while let byte = byte(), shift < 64 {
                result |= UInt64(byte & 0x7F) << shift
                if byte & 0x80 == 0 { return result }
                shift += 7
            }
            return nil
        }

        mutating func text() -> String? {
            guard let count = number(), count <= UInt64(bytes.count - position) else { return nil }
            let text = bytes[position..<(position + Int(count))]
            position += Int(count)
            return String(decoding: text, as: UTF8.self)
        }

        private mutating func keys(after next: inout Int64) -> ClosedRange<Int64>? {
            guard let distance = number(), let count = number(), count > 0, count < UInt64(Int64.max) else {
                return nil
            }
            let lower = next &+ Int64(bitPattern: distance)
            let (upper, isOverflow) = lower.addingReportingOverflow(Int64(count - 1))
            next = upper &+ 1
            return isOverflow ? nil : lower...upper
        }

        mutating func classChanges() -> (name: String, signature: UInt64, changes: LoggedClass)? {
            guard let name = text(), let signature = number(), let flags = number(), let insertions = number() else {
                return nil
            }
            var changes = LoggedClass(hasDeletions: flags & 1 != 0, isOverrun: flags & 2 != 0)
            var next: Int64 = 0
            var inserted: [ClosedRange<Int64>] = []
            for _ in 0..<insertions {
                guard let keys = keys(after: &next) else { return nil }
                inserted.append(keys)
            }
            changes.inserted = KeyRuns(inserted)
            guard let count = number() else { return nil }
            var runs: [ModifiedRows.Run] = []
            next = 0
            for _ in 0..<count {
                guard let keys = keys(after: &next), let slots = number() else { return nil }
                runs.append(.init(keys: keys, slots: SlotSet(bits: slots)))
            }
            changes.modified = ModifiedRows(runs)
            changes.modified.normalize()
            return (name, signature, changes)
        }
    }
}
