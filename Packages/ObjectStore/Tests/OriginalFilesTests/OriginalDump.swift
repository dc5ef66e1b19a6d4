import EventModel
import Foundation

@testable import OriginalFiles

/// Writes what a file holds as Realm's own database was asked to write it: a line for each class, and one for each object.
struct OriginalDump {
    let file: OriginalFile

    /// The lines of all classes, without the one about the file.
    func lines() throws -> [String] {
        file.beginPass()
        var lines: [String] = []
        for (index, found) in file.classes.enumerated() {
            lines.append(describe(found))
            for batch in 0..<file.batchCount(of: index) {
                let batch = try file.batch(batch, of: index)
                for row in 0..<batch.count { lines.append(try object(batch, row, found)) }
            }
        }
        return lines
    }

    private func describe(_ found: OriginalClass) -> String {
        let columns = found.properties.enumerated()
            .map { slot, property in
                let collection =
                    switch property.collection {
                    case .none: "null"
                    case .list: "\"list\""
                    case .set: "\"set\""
                    case .dictionary: "\"dictionary\""
                    }
                let target = property.target.map { quoted("class_\(file.classes[$0].name)") } ?? "null"
                let general = property.isIndexed && slot != found.primaryKey ? "\"general\"" : "null"
                let index = property.isSearchable ? "\"fulltext\"" : general
                let key = property.collection == .dictionary ? ",\"keyType\":2" : ""
                return """
                    {"name":\(quoted(property.name)),"type":"\(property.type)","nullable":\(property.isOptional),\
                    "collection":\(collection),"index":\(index),"target":\(target)\(key)}
                    """
            }
        let key = found.primaryKey.map { quoted(found.properties[$0].name) } ?? "null"
        return """
            {"table":\(quoted("class_\(found.name)")),"kind":"\(found.kind)","pk":\(key),"count":\(found.count),\
            "columns":[\(columns.joined(separator: ","))]}
            """
    }

    private func object(_ batch: OriginalBatch, _ row: Int, _ found: OriginalClass) throws -> String {
        var values: [String] = []
        for (slot, property) in found.properties.enumerated() {
            values.append("\(quoted(property.name)):\(try value(batch, row, slot, property))")
        }
        return """
            {"table":\(quoted("class_\(found.name)")),"key":\(try batch.key(at: row)),"values":{\(values.joined(separator: ","))}}
            """
    }

    private func value(
        _ batch: OriginalBatch,
        _ row: Int,
        _ slot: Int,
        _ property: OriginalProperty
    ) throws -> String {
        switch property.collection {
        case .none: return text(try batch.value(property: slot, at: row))
        case .list, .set:
            var elements = try batch.elements(property: slot, at: row)
            var texts: [String] = []
            while let element = try batch.next(&elements) {
                if case .link(_, let key) = element, key < 0, property.type == .link || property.collection == .set {
                    continue
                }
                texts.append(text(element))
            }
            guard property.collection == .set else { return "[\(texts.joined(separator: ","))]" }
            return "{\"set\":[\(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ","))]}"
        case .dictionary:
            var entries = try batch.entries(property: slot, at: row)
            var read: [OriginalEntry] = []
            while let entry = try batch.next(&entries) { read.append(entry) }
            return dictionary(read)
        }
    }

    private func dictionary(_ entries: [OriginalEntry]) -> String {
        let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return "{\"dict\":[\(sorted.map { "[\(quoted($0.key)),\(text($0.value))]" }.joined(separator: ","))]}"
    }

    private func text(_ value: OriginalValue) -> String {
        switch value {
        case .null: "null"
        case .int(let number): "\(number)"
        case .bool(let truth): "\(truth)"
        case .float(let number): "{\"f\":\"\(hex(UInt64(number.bitPattern), 8))\"}"
        case .double(let number): "{\"d\":\"\(hex(number.bitPattern, 16))\"}"
        case .string(let text): quoted(text)
        case .data(let bytes): "{\"b\":\"\(bytes.map { hex(UInt64($0), 2) }.joined())\"}"
        case .date(let seconds, let nanoseconds): "{\"t\":[\(seconds),\(nanoseconds)]}"
        case .decimal(let number): "{\"dec\":\"\(hex(number.high, 16))\(hex(number.low, 16))\"}"
        case .objectId(let id): "{\"o\":\"\(hex(id.high, 16))\(hex(UInt64(id.low), 8))\"}"
        case .uuid(let id): "{\"u\":\"\(id.uuidString.lowercased().filter { $0 != "-" })\"}"
        case .instant: "no file has such a value"
        case .link(let index, let key):
            key < 0 ? "null" : "{\"l\":[\(quoted("class_\(file.classes[index].name)")),\(key)]}"
        case .list(let elements): "{\"list\":[\(elements.map(text).joined(separator: ","))]}"
        case .dictionary(let entries): dictionary(entries)
        }
    }

    private func hex(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: count - digits.count) + digits
    }

    /// A text of JSON in ASCII.
    private func quoted(_ text: String) -> String {
        var quoted = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: quoted += "\\\""
            case 0x5C: quoted += "\\\\"
            case 0x0A: quoted += "\\n"
            case 0x0D: quoted += "\\r"
            case 0x09: quoted += "\\t"
            case 0x08: quoted += "\\b"
            case 0x0C: quoted += "\\f"
            case 0x20..<0x7F: quoted += String(UnicodeScalar(UInt8(unit)))
            default: quoted += "\\u\(hex(UInt64(unit), 4))"
            }
        }
        return quoted + "\""
    }
}
