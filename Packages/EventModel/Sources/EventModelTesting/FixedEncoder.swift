public import EventModel

/// An encoder that writes a short text instead of JSON: class, then the row keys, `+` before followed slots.
///
/// A read of rows 1 and 2 of `Person` is `Person:1,2`; with slot 3 of row 1 followed to row 9 it is `Person:1+3(9),2`. A search
/// that found nothing is `Person: where a == 1 by name`.
/// A write is `Person i1 d2 m3`. Classes named in `failing` throw.
public struct FixedEncoder: SnapshotEncoder {
    /// Thrown for classes that a test wants to fail.
    public struct Failure: Error, Equatable {
        /// The class whose snapshots are refused.
        public let className: String

        /// Creates the error for a class.
        public init(className: String) {
            self.className = className
        }
    }

    private let failing: Set<String>

    /// Creates an encoder that refuses the snapshots of some classes, by name.
    public init(failing: Set<String> = []) {
        self.failing = failing
    }

    /// Appends the class and the rows.
    public func appendRead(type: String, objects: [ReadObject], to bytes: inout [UInt8]) throws {
        guard !failing.contains(type) else { throw Failure(className: type) }
        bytes.append(contentsOf: "\(type):\(objects.map(text).joined(separator: ","))".utf8)
    }

    /// Appends the class and what was asked for.
    public func appendSearch(type: String, terms: SearchTerms, to bytes: inout [UInt8]) throws {
        try appendRead(type: type, objects: [], to: &bytes)
        var text = terms.predicate.map { " where \($0)" } ?? ""
        for order in terms.sort { text += " by \(order.keyPath)\(order.ascending ? "" : " down")" }
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends the classes with their changed rows.
    public func appendWrite(_ changes: CommitChanges, to bytes: inout [UInt8]) throws {
        let classes = try changes.classes.map { change in
            guard !failing.contains(change.shape.name) else { throw Failure(className: change.shape.name) }
            let rows =
                change.insertions.map { "i\($0.key)" } + change.deletions.map { "d\($0.key)" }
                + change.modifications.map { "m\($0.after.key)" }
            return ([change.shape.name] + rows).joined(separator: " ")
        }
        bytes.append(contentsOf: classes.joined(separator: "; ").utf8)
    }

    private func text(_ object: ReadObject) -> String {
        let followed = object.followed.sorted { $0.slot < $1.slot }
            .map { property in
                let targets = property.targets.sorted { $0.key < $1.key }.map { text($0.value) }
                return "+\(property.slot)(\(targets.joined(separator: ",")))"
            }
        return "\(object.snapshot.key)\(followed.joined())"
    }
}
