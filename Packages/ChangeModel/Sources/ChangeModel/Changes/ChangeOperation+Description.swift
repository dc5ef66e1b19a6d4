import EventModel

extension ChangeOperation: CustomStringConvertible {
    /// The operation in one line, for people who look for what went wrong; it shows values.
    public var description: String { "\(object) \(words)" }

    private var words: String {
        switch action {
        case .create(let given, let defaults):
            "create \(Self.text(given))" + (defaults.isEmpty ? "" : " defaults \(Self.text(defaults))")
        case .delete: "delete"
        case .set(let path, let value): "set \(path) = \(value)"
        case .add(let path, let number): "add \(number) to \(path)"
        case .listInsert(let list, let id, let right, let value):
            "insert \(id) = \(value) into \(list) before \(right.map { "\($0)" } ?? "the end")"
        case .listRemove(let list, let id): "remove \(id) from \(list)"
        case .listSet(let list, let id, let value): "set \(id) in \(list) = \(value)"
        case .listMove(let list, let id, let right):
            "move \(id) in \(list) before \(right.map { "\($0)" } ?? "the end")"
        case .clear(let path): "clear \(path)"
        case .setInsert(let set, let value): "insert \(value) into \(set)"
        case .setRemove(let set, let value): "remove \(value) from \(set)"
        case .mapSet(let map, let key, let value): "set \(map)[\(key)] = \(value)"
        case .mapRemove(let map, let key): "remove \(map)[\(key)]"
        case .embeddedNew(let path, let id, let cells): "assign to \(path) embedded \(id) \(Self.text(cells))"
        case .collectionNew(let path, let life): "assign to \(path) \(life.kind) \(life.id)"
        case .post(let document): "post \(document)"
        }
    }

    private static func text(_ cells: Cells) -> String {
        let entries = cells.map { "\($0.key): \($0.value)" }
        return "[\(entries.joined(separator: ", "))]"
    }
}

extension ObjectAddress: CustomStringConvertible {
    /// The class and the key, for people.
    public var description: String { "\(className)/\(key)" }
}

extension ElementID: CustomStringConvertible {
    /// The bits in hexadecimal digits.
    public var description: String { "#" + String(bits, radix: 16) }
}

extension CellPath: CustomStringConvertible {
    /// The steps, for people.
    public var description: String {
        steps.map { step in
            switch step {
            case .property(let name): "\(name)"
            case .life(let id), .element(let id): "\(id)"
            case .key(let key): "[\(key)]"
            case .member(let value): "{\(value)}"
            }
        }
        .joined(separator: ".")
    }
}
