package import Foundation

/// The public symbols of the libraries, as the symbol graphs of the compiler have them.
package struct SymbolGraphs: Sendable {
    /// The paths of all symbols: `Realm.write(withoutNotifying:_:)`.
    private(set) var paths: Set<String> = []
    /// What each type inherits from and conforms to, by path.
    private var parents: [String: Set<String>] = [:]

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Identifier: Decodable { let precise: String }

            let identifier: Identifier
            let pathComponents: [String]
            let accessLevel: String
        }

        struct Relationship: Decodable {
            let source: String
            let target: String
            let kind: String
        }

        let symbols: [Symbol]
        let relationships: [Relationship]
    }

    /// Reads symbol graphs.
    ///
    /// - Throws: A `DecodingError` when one is none.
    package init(_ files: [Data]) throws {
        let graphs = try files.map { try JSONDecoder().decode(Graph.self, from: $0) }
        var names: [String: String] = [:]
        for symbol in graphs.flatMap(\.symbols) where ["public", "open"].contains(symbol.accessLevel) {
            let path = symbol.pathComponents.joined(separator: ".")
            names[symbol.identifier.precise] = path
            paths.insert(path)
        }
        for relationship in graphs.flatMap(\.relationships)
        where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
            guard let source = names[relationship.source], let target = names[relationship.target] else { continue }
            parents[source, default: []].insert(target)
        }
    }

    /// Whether there is a symbol of a path, or its type has it from another one.
    package func has(_ path: String) -> Bool {
        if paths.contains(path) { return true }
        let name = path.prefix { $0 != "(" }
        guard let dot = name.lastIndex(of: ".") else { return false }
        let member = path[path.index(after: dot)...]
        return ancestors(of: String(path[..<dot])).contains { paths.contains("\($0).\(member)") }
    }

    private func ancestors(of type: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = [type]
        while let next = waiting.popLast() {
            for parent in parents[next, default: []] where found.insert(parent).inserted { waiting.append(parent) }
        }
        return found
    }
}
