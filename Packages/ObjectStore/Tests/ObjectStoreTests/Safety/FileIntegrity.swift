import EventModel
import Foundation

@testable import ObjectStore

/// What must be true of every realm file, whoever wrote it: each reference leads to a row, and each part has one whole.
struct FileIntegrity {
    private static let (key, owner, value, valueType) = ("\"$key\"", "\"$owner\"", "\"$value\"", "\"$type\"")
    private static let (nested, nestedElements) = ("\"$nested\"", "\"$nested.elements\"")
    private static let nestedEntries = "\"$nested.entries\""
    private static let nestedTags = "(\(PackedValue.Tag.list.rawValue), \(PackedValue.Tag.dictionary.rawValue))"

    private let connection: Connection
    private let classes: [String: StoredClass]

    /// Looks at what is committed in a file.
    init(_ url: URL) throws {
        connection = try Connection(fileURL: url, isReadOnly: true, isDurable: true)
        classes = try StoredSchema(connection).classes()
    }

    /// What is wrong, as sentences.
    func problems() throws -> [String] {
        let places = classes.values.sorted { $0.name < $1.name }
            .flatMap { item in item.properties.map { PropertyPlace(item.name, $0) } }
        var problems: [String] = []
        for place in places { problems += try self.problems(of: place) }
        for item in classes.values.sorted(by: { $0.name < $1.name }) where item.isEmbedded {
            problems += try parts(item.name, places.filter { $0.target == item.name })
        }
        if try count("sqlite_master WHERE name = '$nested'") > 0 { problems += try nested(places) }
        return problems
    }

    private func problems(of place: PropertyPlace) throws -> [String] {
        var problems: [String] = []
        let name = "\(place.className).\(place.name)"
        if place.collection != .none,
            try count("\(place.table) WHERE \(place.owner) NOT IN \(keys(place.className))") > 0
        {
            problems.append("\(name) has elements of objects that are gone.")
        }
        if let target = place.target,
            try count("\(place.table) WHERE \(place.value) NOT NULL AND \(place.value) NOT IN \(keys(target))") > 0
        {
            problems.append("\(name) refers to objects of \(target) that are gone.")
        }
        if place.kind == .any { problems += try links(place.table, place.value, place.type, name) }
        return problems
    }

    /// The links of values of any type that lead nowhere.
    private func links(_ table: String, _ value: String, _ type: String, _ name: String) throws -> [String] {
        try texts("SELECT DISTINCT \(value) FROM \(table) WHERE \(type) = \(AnyCell.linkTag)")
            .filter { link in
                let parts = link.split(separator: "/")
                guard parts.count == 2, classes[String(parts[0])] != nil else { return true }
                return try count("\(Self.quoted(String(parts[0]))) WHERE \(Self.key) = \(parts[1])") != 1
            }
            .map { "\(name) links to \($0), which is gone." }
    }

    /// Embedded objects that have no parent, or several.
    private func parts(_ className: String, _ places: [PropertyPlace]) throws -> [String] {
        let all = places.map { "SELECT \($0.value) AS part FROM \($0.table) WHERE \($0.value) NOT NULL" }
        let source = all.isEmpty ? "SELECT NULL AS part WHERE 0" : all.joined(separator: " UNION ALL ")
        let (table, key) = (Self.quoted(className), Self.key)
        let orphans = try count("\(table) WHERE \(key) NOT IN (SELECT part FROM (\(source)))")
        let shared = try count("(SELECT part FROM (\(source)) GROUP BY part HAVING count(*) > 1)")
        return (orphans > 0 ? ["\(orphans) objects of \(className) have no parent."] : [])
            + (shared > 0 ? ["\(shared) objects of \(className) have several parents."] : [])
    }

    /// Lists and dictionaries inside values of any type that nothing holds, and values that hold none that exists.
    private func nested(_ places: [PropertyPlace]) throws -> [String] {
        let (nested, key, owner) = (Self.nested, Self.key, Self.owner)
        let contents = [Self.nestedElements, Self.nestedEntries]
        let holders =
            places.filter { $0.kind == .any }.map { ($0.table, $0.value, $0.type) }
            + contents.map { ($0, Self.value, Self.valueType) }
        let held = holders.map { table, value, type in
            "SELECT \(value) AS held FROM \(table) WHERE \(type) IN \(Self.nestedTags)"
        }
        let source = held.joined(separator: " UNION ALL ")
        var problems: [String] = []
        if try count("\(nested) WHERE \(key) NOT IN (SELECT held FROM (\(source)))") > 0 {
            problems.append("There are nested collections that nothing holds.")
        }
        if try count("(SELECT held FROM (\(source)) WHERE held NOT IN (SELECT \(key) FROM \(nested)))") > 0 {
            problems.append("There are values whose nested collections are gone.")
        }
        for table in contents {
            if try count("\(table) WHERE \(owner) NOT IN (SELECT \(key) FROM \(nested))") > 0 {
                problems.append("\(table) has elements of nested collections that are gone.")
            }
            problems += try links(table, Self.value, Self.valueType, table)
        }
        return problems
    }

    private static func quoted(_ name: String) -> String { "\"\(name)\"" }

    /// Selects the keys of a class; none when a migration took the class away.
    private func keys(_ className: String) -> String {
        classes[className] == nil ? "(SELECT 0 WHERE 0)" : "(SELECT \(Self.key) FROM \(Self.quoted(className)))"
    }

    private func count(_ source: String) throws -> Int64 {
        let statement = try connection.prepare("SELECT count(*) FROM \(source)")
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : 0
    }

    private func texts(_ sql: String) throws -> [String] {
        let statement = try connection.prepare(sql)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0)) }
        return texts
    }
}
