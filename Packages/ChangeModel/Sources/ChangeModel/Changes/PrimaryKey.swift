public import EventModel

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The value of the primary key of a synced object.
///
/// Text is compared by its bytes, so that two devices can never disagree on whether two keys are one.
public enum PrimaryKey: Sendable, Hashable {
    /// No value; a class may have one object with it.
    case null
    /// An integer of up to 64 bits.
    case int(Int64)
    /// Text of at most 1 KiB in UTF-8.
    case string(ExactText)
    /// A 12-byte identifier.
    case objectId(ObjectId)
    /// A 16-byte identifier.
    case uuid(UUID)
}

extension PrimaryKey: Comparable {
    /// Orders keys by kind and then by value, texts and identifiers by their bytes.
    public static func < (left: PrimaryKey, right: PrimaryKey) -> Bool {
        switch (left, right) {
        case (.int(let left), .int(let right)): left < right
        case (.string(let left), .string(let right)): left < right
        case (.objectId(let left), .objectId(let right)): left < right
        case (.uuid(let left), .uuid(let right)): left < right
        default: left.rank < right.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .int: 1
        case .string: 2
        case .objectId: 3
        case .uuid: 4
        }
    }
}
