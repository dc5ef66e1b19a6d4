#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be wrong with a value of the event model.
@nonexhaustive
public enum EventModelError: Error, Sendable, Equatable {
    /// Thrown when the text of an object id is not 24 hexadecimal digits; the text itself may be user data.
    case malformedObjectId(length: Int)
    /// Thrown when the text of a decimal is not a number by IEEE 754; the text itself may be user data.
    case malformedDecimal(length: Int)
    /// Thrown when a partition value is not a prefix, a hyphen and 24 hexadecimal digits.
    case malformedPartition(String)
    /// Thrown when encoded events end early, hold invalid text or have an unknown version.
    case malformedEvent(offset: Int, reason: String)
    /// Thrown when the seal of a stretch has more bytes than ``PartitionSeal/maximumBytes``.
    case longSeal(byteCount: Int)
    /// Thrown when bytes are not a packed row of a class.
    case malformedRow(className: String, reason: String)
    /// Thrown when a metadata key is empty, too long, reserved or has control characters.
    case invalidMetadataKey(String, reason: String)
    /// Thrown when the keys and values of metadata have more bytes in all than ``EventMetadata/maximumBytes``.
    case metadataTooLong(byteCount: Int)
    /// Thrown when a partition prefix is empty, too long, holds a slash or a control character, or is `.` or `..`.
    case invalidPartitionPrefix(String, reason: String)
    /// Thrown when an encryption key has not exactly 32 bytes; the bytes are not kept.
    case malformedEncryptionKey(byteCount: Int)
    /// Thrown when a number of a configuration makes no sense; the parameter is named as the program wrote it.
    case invalidParameter(String, reason: String)
}

extension EventModelError: CustomStringConvertible {
    /// A sentence that says what is wrong and what would be right.
    public var description: String {
        switch self {
        case .malformedObjectId(let length):
            "An object id is 24 hexadecimal digits; the given text has \(length) bytes or other characters."
        case .malformedDecimal(let length):
            "The given text of \(length) bytes is not a decimal number such as -12.5E+3, NaN or Infinity."
        case .malformedPartition(let value):
            "The partition '\(value)' is not a prefix, a hyphen and 24 hexadecimal digits."
        case .malformedEvent(let offset, let reason):
            "The encoded event is damaged at byte \(offset): \(reason)."
        case .longSeal(let byteCount):
            "The seal has \(byteCount) bytes and may have \(PartitionSeal.maximumBytes): its ledger goes on in the next one."
        case .malformedRow(let className, let reason):
            "The stored row of class '\(className)' is damaged: \(reason)."
        case .invalidMetadataKey(let key, let reason):
            "The metadata key '\(key)' cannot be used: \(reason)."
        case .metadataTooLong(let byteCount):
            "The metadata has \(byteCount) bytes and may have \(EventMetadata.maximumBytes): put what is long into the payload."
        case .invalidPartitionPrefix(let prefix, let reason):
            "The partition prefix '\(prefix)' cannot be used: \(reason)."
        case .malformedEncryptionKey(let byteCount):
            "An encryption key of event files has 32 bytes; the given one has \(byteCount)."
        case .invalidParameter(let name, let reason):
            "The value of \(name) cannot be used: \(reason)."
        }
    }
}

extension EventModelError: LocalizedError {
    /// The sentence that ``description`` is, for apps that show errors to people.
    public var errorDescription: String? { description }
}
