import EventModel

/// Finds what objects are called in the payload of a read or a write.
struct LabelScan {
    /// What of an object its label is made of.
    private struct Values {
        var texts: [Int: String] = [:]
        /// Whether one of them is masked.
        var isHidden = false
        /// The texts of `_id`, and of `id`.
        var (keys, others): ([String], [String]) = ([], [])
    }

    /// The most texts of a list that a label has.
    private static let maximumTexts = 8

    private var scan: PayloadScan
    private let labels: ClassLabels
    private let limit: Int
    private var found: [ObjectLabel] = []
    private var known: Set<ObjectLabel> = []

    init(_ scan: PayloadScan, _ labels: ClassLabels, _ limit: Int) {
        self.scan = scan
        self.labels = labels
        self.limit = limit
    }

    /// Returns the labels, each once; what was found before the bytes turn out to be malformed counts.
    mutating func all() -> [ObjectLabel] {
        do throws(JSONBytes.Malformed) {
            try payload()
        } catch {
            // A payload may be any text; what is no JSON has no further objects.
        }
        return found
    }

    private mutating func payload() throws(JSONBytes.Malformed) {
        let members = try scan.members()
        let values = members.filter { $0.key == "value" }
        let types = values.isEmpty ? [] : try scan.types(among: members)
        for type in types {
            for value in values { try list(at: value.position, of: type) }
        }
        if !types.isEmpty { return }
        for member in members {
            scan.json.move(to: member.position)
            guard labels.template(of: member.key) != nil, scan.json.peek() == 0x7B else { continue }
            for list in try scan.members() {
                switch list.key {
                case "insertions", "deletions": try self.list(at: list.position, of: member.key)
                case "modifications": try modifications(at: list.position, of: member.key)
                default: continue
                }
            }
        }
    }

    private mutating func list(at position: Int, of name: String) throws(JSONBytes.Malformed) {
        guard let template = labels.template(of: name) else { return }
        for position in try objects(at: position) {
            var values = Values()
            try read(position, template, into: &values)
            note(values, of: name, template)
        }
    }

    /// Notes what the objects were called before, and what they are called with their new values.
    private mutating func modifications(at position: Int, of name: String) throws(JSONBytes.Malformed) {
        guard let template = labels.template(of: name) else { return }
        for position in try objects(at: position) {
            scan.json.move(to: position)
            let members = try scan.members()
            var values = Values()
            for old in members where old.key == "oldValue" { try read(old.position, template, into: &values) }
            note(values, of: name, template)
            let (keys, others) = (values.keys, values.others)
            for new in members where new.key == "newValue" { try read(new.position, template, into: &values) }
            (values.keys, values.others) = (keys, others)
            note(values, of: name, template)
        }
    }

    /// Where the objects of an array start.
    private mutating func objects(at position: Int) throws(JSONBytes.Malformed) -> [Int] {
        scan.json.move(to: position)
        guard scan.json.peek() == 0x5B else { return [] }
        var found: [Int] = []
        for position in try scan.elements() {
            scan.json.move(to: position)
            if scan.json.peek() == 0x7B { found.append(position) }
        }
        return found
    }

    private mutating func note(_ values: Values, of name: String, _ template: LabelTemplate) {
        guard !values.isHidden, let text = template.label(values.texts) else { return }
        for key in values.keys.isEmpty ? values.others : values.keys where found.count < limit {
            let label = ObjectLabel(objectClass: name, key: key, text: text)
            if known.insert(label).inserted { found.append(label) }
        }
    }
}

extension LabelScan {
    /// Reads what a label is made of out of an object; a value that is there takes the place of one from before.
    private mutating func read(
        _ position: Int,
        _ template: LabelTemplate,
        into values: inout Values
    ) throws(JSONBytes.Malformed) {
        scan.json.move(to: position)
        guard scan.json.peek() == 0x7B else { return }
        let wanted = template.paths.enumerated().map { (number: $0.offset, path: $0.element[...]) }
        try scan.json.object { json, name throws(JSONBytes.Malformed) in
            switch name {
            case "_id", "id":
                var ahead = json
                if let key = try ahead.scalar() {
                    if name == "_id" { values.keys.append(key) } else { values.others.append(key) }
                }
            default: break
            }
            try Self.member(name, of: wanted, &json, into: &values)
        }
    }

    private typealias Wanted = [(number: Int, path: ArraySlice<ExactText>)]

    /// Reads the first texts and numbers of a list, such as given names, with spaces between them.
    private static func list(_ json: inout JSONBytes) throws(JSONBytes.Malformed) -> String {
        var texts: [String] = []
        try json.array { json throws(JSONBytes.Malformed) in
            if let text = try json.scalar(), texts.count < maximumTexts { texts.append(text) }
        }
        return texts.joined(separator: " ")
    }

    /// Reads a member; of an object the members that are wanted of it, of anything else what it is as text.
    private static func member(
        _ name: String,
        of wanted: Wanted,
        _ json: inout JSONBytes,
        into values: inout Values
    ) throws(JSONBytes.Malformed) {
        let here = wanted.filter { $0.path.first.map { $0.string.hasSameBytes(as: name) } ?? false }
        if here.isEmpty { return try json.skip() }
        guard json.peek() == 0x7B else {
            let text = try json.peek() == 0x5B ? Self.list(&json) : json.scalar() ?? ""
            for one in here where one.path.count == 1 { values.texts[one.number] = text }
            return
        }
        let inner = here.map { (number: $0.number, path: $0.path.dropFirst()) }.filter { !$0.path.isEmpty }
        try json.object { json, name throws(JSONBytes.Malformed) in
            if name == EventMask.text { values.isHidden = true }
            try member(name, of: inner, &json, into: &values)
        }
    }
}
