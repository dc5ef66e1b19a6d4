import EventModel
import ObjectStore

/// A snapshot does not have the form that the class says.
struct MalformedSnapshot: Error {
    let name: String
    let value: MirroredValue?
}

// What snapshots say, in the words of the plain model.
extension MirroredObject {
    /// The item that the snapshot shows.
    var item: PlainItem {
        get throws {
            var item = PlainItem()
            item.number = try required("number") { $0.int }
            item.text = try optional("text") { $0.string }
            item.amount = try optional("amount") { $0.double }
            item.payload = try required("payload") { $0.any }
            item.numbers = try elements("numbers") { $0.isNull ? .some(nil) : $0.int.map { .some($0) } }
            item.tags = Set(try elements("tags") { $0.string })
            item.scores = try entries("scores") { $0.isNull ? .some(nil) : $0.int.map { .some($0) } }
            item.friend = try optional("friend") { $0.link }
            item.friends = try elements("friends") { $0.link }
            item.circle = Set(try elements("circle") { $0.link })
            item.byName = try entries("byName") { $0.isNull ? .some(nil) : $0.link.map { .some($0) } }
            item.place = try optional("place") { try $0.object?.place }
            item.places = try elements("places") { try $0.object?.place }
            item.placesByName = try entries("placesByName") {
                $0.isNull ? .some(nil) : try $0.object.map { .some(try $0.place) }
            }
            item.extras = try elements("extras") { $0.any }
            item.extrasByName = try entries("extrasByName") { $0.any }
            return item
        }
    }

    private var place: PlainPlace {
        get throws {
            var place = PlainPlace()
            place.name = try required("name") { $0.string }
            place.guest = try optional("guest") { $0.link }
            place.rooms = try elements("rooms") { try $0.object?.room }
            return place
        }
    }

    private var room: PlainRoom {
        get throws {
            PlainRoom(
                number: try required("number") { $0.int },
                visitors: try elements("visitors") { $0.link }
            )
        }
    }

    private func required<T>(_ name: String, _ read: (MirroredValue) throws -> T?) throws -> T {
        guard let value = fields[name], let result = try read(value) else {
            throw MalformedSnapshot(name: name, value: fields[name])
        }
        return result
    }

    private func optional<T>(_ name: String, _ read: (MirroredValue) throws -> T?) throws -> T? {
        if fields[name]?.isNull == true { return nil }
        return try required(name, read)
    }

    private func elements<T>(_ name: String, _ read: (MirroredValue) throws -> T?) throws -> [T] {
        guard case .list(let elements)? = fields[name] else {
            throw MalformedSnapshot(name: name, value: fields[name])
        }
        return try elements.map { element in
            guard let result = try read(element) else { throw MalformedSnapshot(name: name, value: element) }
            return result
        }
    }

    private func entries<T>(_ name: String, _ read: (MirroredValue) throws -> T?) throws -> [String: T] {
        guard case .dictionary(let entries)? = fields[name] else {
            throw MalformedSnapshot(name: name, value: fields[name])
        }
        return try entries.mapValues { entry in
            guard let result = try read(entry) else { throw MalformedSnapshot(name: name, value: entry) }
            return result
        }
    }
}

extension MirroredValue {
    fileprivate var isNull: Bool { self == .value(.null) }
    fileprivate var int: Int? { if case .value(.int(let number)) = self { Int(number) } else { nil } }
    fileprivate var string: String? { if case .value(.string(let text)) = self { text } else { nil } }
    fileprivate var double: Double? { if case .value(.double(let number)) = self { number } else { nil } }
    fileprivate var link: Int? { if case .link(let id) = self { id } else { nil } }
    fileprivate var object: MirroredObject? { if case .object(let object) = self { object } else { nil } }
    fileprivate var any: PlainAny? {
        switch self {
        case .value(.null): .some(.none)
        case .value(.int(let number)): .int(Int(number))
        case .value(.bool(let truth)): .bool(truth)
        case .value(.double(let number)): .double(number)
        case .value(.string(let text)): .string(text)
        case .link(let id): .item(id)
        case .list(let elements): .list(elements.compactMap(\.any))
        case .dictionary(let entries): .dictionary(entries.compactMapValues(\.any))
        case .value, .object: nil
        }
    }
}
