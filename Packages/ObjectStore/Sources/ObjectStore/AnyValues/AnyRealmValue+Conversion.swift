import EventModel
import Foundation

extension AnyRealmValue {
    /// Converts a value of any type, nested sequences and dictionaries with it.
    ///
    /// - Throws: ``Realm/Error`` for a type that a realm cannot store, and for values that are nested too deeply.
    init(_ value: Any, at place: String, depth: Int) throws(Realm.Error) {
        guard depth < ObjectSource.maximumDepth else { throw .tooDeep(place) }
        if let same = exactly(AnyRealmValue.self, value) {
            self = same
            return
        }
        guard let value = unwrapped(value) else {
            self = .none
            return
        }
        if let scalar = Self(scalar: value) {
            self = scalar
            return
        }
        switch value {
        case let value as AnyRealmValue: self = value
        case let object as Object: self = .object(object)
        case let list as List<AnyRealmValue>: self = .list(list)
        case let map as Map<String, AnyRealmValue>: self = .dictionary(map)
        case is any PersistedCollection: throw .mismatch(value, Self._propertyType, at: place)
        case let entries as [String: Any]:
            var values: [String: AnyRealmValue] = [:]
            for (key, value) in entries { values[key] = try AnyRealmValue(value, at: place, depth: depth + 1) }
            self = .fromDictionary(values)
        case let elements as [Any]:
            var values: [AnyRealmValue] = []
            for element in elements { values.append(try AnyRealmValue(element, at: place, depth: depth + 1)) }
            self = .fromArray(values)
        default: throw .mismatch(value, Self._propertyType, at: place)
        }
    }

    /// Converts a value that is neither an object nor contains others; nil for any other type.
    ///
    /// - Parameter value: A value without optionals around it.
    private init?(scalar value: Any) {
        if isFoundationNumber(value) || value is any BinaryInteger || value is any BinaryFloatingPoint {
            switch DynamicNumber(value) {
            case .int(let number): self = .int(Int(number))
            case .bool(let truth): self = .bool(truth)
            case .float(let number): self = .float(number)
            case .double(let number): self = .double(number)
            // What JSON has too many digits for: an integer where it is one, else the nearest number.
            case .decimal(let number): self = number.int64Value.map { .int(Int($0)) } ?? .double(number.doubleValue)
            case .large, nil: return nil
            }
            return
        }
        switch value {
        case let value as Bool: self = .bool(value)
        case let value as Decimal: self = .decimal128(Decimal128(value: value))
        case let value as String: self = .string(value)
        case let value as Data: self = .data(value)
        case let value as Date: self = .date(value)
        case let value as ObjectId: self = .objectId(value)
        case let value as Decimal128: self = .decimal128(value)
        case let value as UUID: self = .uuid(value)
        case let value as any PersistableEnum: self.init(scalar: value.rawValue)
        case let value as any FailableCustomPersistable: self.init(scalar: value.persistableValue)
        default: return nil
        }
    }

    /// The content without the case around it, as key-value coding hands it out; nil for ``none``.
    var bare: Any? {
        switch self {
        case .none: nil
        case .int(let value): value
        case .bool(let value): value
        case .float(let value): value
        case .double(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .object(let value): value
        case .objectId(let value): value
        case .decimal128(let value): value
        case .uuid(let value): value
        case .dictionary(let value): value
        case .list(let value): value
        }
    }

    /// Whether this is what a value says that was captured in a realm; no accessors are made.
    func matches(_ value: Value, in realm: RealmCore) -> Bool {
        switch (self, value) {
        case (.object(let object), .link(let reference)):
            guard let core = object._core, core.realm === realm else { return false }
            return core.key == reference.key && core.table.schema.name == reference.className
        case (.list(let list), .list(let elements)):
            return list.count == elements.count && zip(list, elements).allSatisfy { $0.matches($1, in: realm) }
        case (.dictionary(let map), .dictionary(let entries)):
            return map.count == entries.count
                && map.allSatisfy { entry in entries[entry.key].map { entry.value.matches($0, in: realm) } ?? false }
        case (.double(let number), .double(let other)):
            return number.bitPattern == other.bitPattern
        case (.float(let number), .float(let other)):
            return number.bitPattern == other.bitPattern
        default: return scalar == value
        }
    }
}
