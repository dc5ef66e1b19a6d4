/// The types of values, by the numbers that the file has for them.
package enum OriginalType: Int64, Sendable {
    /// Whole numbers, and enums of them.
    case int = 0
    /// Truth values.
    case bool = 1
    /// Texts, and enums of them.
    case string = 2
    /// Bytes.
    case data = 4
    /// Values of any type.
    case mixed = 6
    /// Instants.
    case date = 8
    /// Numbers of 32 bits.
    case float = 9
    /// Numbers of 64 bits.
    case double = 10
    /// Decimal numbers.
    case decimal = 11
    /// Objects of one class.
    case link = 12
    /// Lists of objects, as formats below 24 say.
    case linkList = 13
    /// What links lead to an object, which is found anew.
    case backlink = 14
    /// Ids of twelve bytes.
    case objectId = 15
    /// Objects of any class.
    case typedLink = 16
    /// Ids of sixteen bytes.
    case uuid = 17
    /// Lists inside values of any type.
    case nestedList = 19
    /// Dictionaries inside values of any type.
    case nestedDictionary = 21
}
