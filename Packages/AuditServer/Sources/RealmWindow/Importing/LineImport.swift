import Foundation
import ObjectStore

/// Objects of lines on their way into a file, inside of one transaction.
struct LineImport {
    private let window: RealmWindow
    private var realm: Realm { window.realm }
    /// The objects of classes without a primary key, by the rows that the lines give them.
    private var rows: [Row: DynamicObject] = [:]
    /// What lines refer to and no line has had yet, with the first line that does.
    private var awaited: [Name: Int] = [:]
    /// How many objects were written, by class.
    private(set) var counts: [String: Int] = [:]
    private var number = 0

    private struct Row: Hashable {
        let className: String
        let row: Int
    }

    /// An object by its class and its primary key or row, as JSON has it.
    private struct Name: Hashable {
        let className: String
        let key: String
    }

    init(_ window: RealmWindow) { self.window = window }

    /// Writes the object of a line; a blank line is none.
    mutating func take(_ line: String) throws {
        number += 1
        guard line.contains(where: { !$0.isWhitespace }) else { return }
        let parsed = try parse(line)
        guard let className = parsed["class"] as? String, let given = parsed["object"] as? [String: Any] else {
            throw bad("it has no 'class' with an 'object'.")
        }
        let schema = try window.schema(of: className)
        guard !schema.isEmbedded else { throw bad("objects of '\(className)' live inside of others.") }
        let values = try values(given, schema)
        if let key = schema.primaryKeyProperty {
            guard let named = given[key.name] else { throw bad("it has no '\(key.name)', the primary key.") }
            realm.dynamicCreate(className, value: values, update: .modified)
            awaited[Name(className: className, key: try text(named))] = nil
        } else {
            let row = (parsed["row"] as? NSNumber).map { Row(className: className, row: $0.intValue) }
            if let row, let made = rows[row] {
                for (name, value) in values { made[name] = value }
                awaited[Name(className: className, key: "\(row.row)")] = nil
            } else {
                let made = realm.dynamicCreate(className, value: values)
                if let row { rows[row] = made }
            }
        }
        if let error = realm.transactionError { throw bad(error.message) }
        counts[className, default: 0] += 1
    }

    /// Checks that everything that was referred to came.
    func finish() throws {
        guard let (name, line) = awaited.min(by: { $0.value < $1.value }) else { return }
        throw RealmWindowError.missingObject(className: name.className, firstReferredTo: line)
    }

    // MARK: Values

    private func parse(_ line: String) throws -> [String: Any] {
        do {
            guard let members = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
                throw bad("it is JSON, but no object.")
            }
            return members
        } catch let error as RealmWindowError {
            throw error
        } catch {
            throw bad("it is no JSON.")
        }
    }

    private func text(_ key: Any) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: key, options: [.fragmentsAllowed, .sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    private mutating func values(_ members: [String: Any], _ schema: ObjectSchema) throws -> [String: Any] {
        var values: [String: Any] = [:]
        for (name, value) in members {
            guard let property = schema[name] else {
                throw bad("the class '\(schema.className)' of the file has no property '\(name)'.")
            }
            values[name] = try self.value(value, property.objectClassName)
        }
        return values
    }

    private mutating func value(_ value: Any, _ target: String?) throws -> Any {
        switch value {
        case let list as [Any]: return try list.map { try self.value($0, target) }
        case let members as [String: Any]:
            if let (tag, content) = members.first, members.count == 1, tag.hasPrefix("$") {
                return try tagged(tag, content, target)
            }
            guard let target else { throw bad("it has an object where a value is to be.") }
            return try values(members, window.schema(of: target))
        default: return value
        }
    }

    private mutating func tagged(_ tag: String, _ content: Any, _ target: String?) throws -> Any {
        let text = content as? String
        switch tag {
        case "$date":
            if let number = content as? NSNumber { return Date(timeIntervalSinceReferenceDate: number.doubleValue) }
        case "$float": if let number = text.flatMap(Float.init) { return number }
        case "$double": if let number = text.flatMap(Double.init) { return number }
        case "$decimal": if let number = text.flatMap(Decimal128.init) { return number }
        case "$data": if let data = text.flatMap({ Data(base64Encoded: $0) }) { return data }
        case "$uuid": if let id = text.flatMap(UUID.init(uuidString:)) { return id }
        case "$oid":
            // An id that is none is a line that is none.
            if let id = text.flatMap({ try? ObjectId(string: $0) }) { return id }
        case "$map":
            if let entries = content as? [String: Any] {
                var map: [String: Any] = [:]
                for (key, value) in entries { map[key] = try self.value(value, target) }
                return map
            }
        case "$link":
            if let pair = content as? [Any], pair.count == 2, let className = pair[0] as? String {
                guard target ?? className == className else {
                    throw bad("it has a link to an object of '\(className)' where one of '\(target ?? "")' is to be.")
                }
                return try linked(className, pair[1])
            }
        default: break
        }
        throw bad("it has a value of the type '\(tag)' that is not understood.")
    }

    /// Finds the object that a link names, or makes it, to be filled by a later line.
    private mutating func linked(_ className: String, _ key: Any) throws -> DynamicObject {
        let schema = try window.schema(of: className)
        let name = Name(className: className, key: try text(key))
        if let property = schema.primaryKeyProperty {
            let key = try value(key, nil)
            guard property.mayBe(key) else { throw bad("it has a link by a key that '\(className)' cannot have.") }
            if let known = realm.dynamicObject(ofType: className, forPrimaryKey: key) { return known }
            awaited[name] = number
            return realm.dynamicCreate(className, value: [property.name: key], update: .modified)
        }
        guard let row = (key as? NSNumber)?.intValue else { throw bad("it has a link to a row that is no number.") }
        let place = Row(className: className, row: row)
        if let known = rows[place] { return known }
        awaited[name] = number
        let made = realm.dynamicCreate(className)
        rows[place] = made
        return made
    }

    private func bad(_ reason: String) -> RealmWindowError { .badLine(number, reason) }
}

extension Property {
    /// Whether the property, a primary key, may have a value: to look another one up is misuse.
    fileprivate func mayBe(_ key: Any) -> Bool {
        switch type {
        case .int: (key as? NSNumber).map { $0.objCType.pointee != CChar(UInt8(ascii: "d")) } ?? false
        case .string: key is String
        case .objectId: key is ObjectId
        case .UUID: key is UUID
        default: false
        }
    }
}
