/// How the payloads of events show binary data.
///
/// Holds wherever data can be: in a property, in a collection, in a value of any type, in an embedded object.
public enum DataRepresentation: Sendable, Hashable, CaseIterable {
    /// Not at all: the property is left out, an element of a collection is null.
    ///
    /// A change is still visible: the property is in `newValue`, with null.
    case excluded
    /// The SHA-256 digest of the bytes as 64 lower-case hexadecimal digits.
    ///
    /// Shows whether two events are about the same bytes and proves which ones, without their being in the event. Bytes that
    /// can be guessed can be found by their digest.
    case sha256
    /// The bytes themselves in base 64, with padding.
    ///
    /// Events grow by four thirds of the data, and one that is larger than can be sent is refused.
    case base64
}
