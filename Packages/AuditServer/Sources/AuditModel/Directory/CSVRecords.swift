/// Reads a table of people in CSV (RFC 4180): a head with names of columns, commas or semicolons, quoted fields.
enum CSVRecords {
    /// Returns the people of a table.
    ///
    /// - Throws: ``AuditServerError/rejected(reason:)`` with the line that is wrong.
    static func people(_ bytes: [UInt8]) throws(AuditServerError) -> [DirectoryPerson] {
        let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let text = String(validating: marked, as: UTF8.self) else {
            throw .rejected(reason: "it is not a text in UTF-8")
        }
        var records = try records(text)[...]
        guard let head = records.popFirst()?.fields.map({ $0.lowercased() }),
            let id = head.firstIndex(of: "id"), let name = head.firstIndex(of: "name")
        else {
            throw .rejected(reason: "the first line names the columns, and 'id' and 'name' are among them")
        }
        let (role, unit) = (head.firstIndex(of: "role"), head.firstIndex(of: "unit"))
        var people: [DirectoryPerson] = []
        for record in records {
            guard record.fields.count == head.count else {
                throw .rejected(reason: "line \(record.line) has another number of fields than the first one")
            }
            func field(_ index: Int?) -> String? { index.map { record.fields[$0] }.flatMap { $0.isEmpty ? nil : $0 } }
            guard let id = field(id), let name = field(name) else {
                throw .rejected(reason: "line \(record.line) has no id or no name")
            }
            people.append(DirectoryPerson(id: id, name: name, role: field(role), unit: field(unit)))
        }
        return people
    }

    private struct Record {
        var line: Int
        var fields: [String] = []
    }

    private static func records(_ text: String) throws(AuditServerError) -> [Record] {
        let head = text.prefix { !$0.isNewline }
        let comma: Character = head.contains(";") && !head.contains(",") ? ";" : ","
        var records: [Record] = []
        var (record, field) = (Record(line: 1), "")
        var (isQuoted, wasQuoted, line) = (false, false, 1)
        var rest = text[...]
        func endField() {
            record.fields.append(
                wasQuoted ? field : String(field.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            )
            (field, wasQuoted) = ("", false)
        }
        func endRecord() {
            endField()
            if record.fields != [""] { records.append(record) }
            record = Record(line: line)
        }
        while let next = rest.popFirst() {
            if next.isNewline { line += 1 }
            switch next {
            case "\"" where isQuoted && rest.first == "\"":
                rest.removeFirst()
                field.append("\"")
            case "\"" where isQuoted: isQuoted = false
            case _ where isQuoted: field.append(next)
            case "\"" where field.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
            case comma: endField()
            case _ where next.isNewline: endRecord()
            case _ where wasQuoted && next != " ":
                throw .rejected(reason: "in line \(line) something stands behind a quoted field")
            case _ where wasQuoted: continue
            default: field.append(next)
            }
        }
        guard !isQuoted else { throw .rejected(reason: "a quoted field that begins in line \(record.line) has no end") }
        endRecord()
        return records
    }
}
