/// A class that takes the place of one that only a file knows.
///
/// The store tells classes apart by their Swift type, which a class of an older program does not have any more. No
/// object is ever made of a stand-in: ``DynamicObject`` is what programs see.
protocol ClassStandIn: ObjectBase {}

extension ClassStandIn {
    /// Returns as many different types as asked for, always the same ones, so that their count stays small.
    static func types(_ count: Int) -> [ObjectBase.Type] {
        var last: any ClassStandIn.Type = self
        return (0..<count)
            .map { _ in
                last = next(after: last)
                return last
            }
    }

    private static func next<Previous: ClassStandIn>(after _: Previous.Type) -> any ClassStandIn.Type {
        FileClass<Previous>.self
    }
}

/// The stand-in that the others are made from.
final class FirstFileClass: Object, ClassStandIn {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// One more stand-in for each type that it is made with.
private final class FileClass<Previous>: Object, ClassStandIn {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
