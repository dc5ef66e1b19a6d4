import Foundation

/// An import declaration of a file.
struct Import: Hashable {
    /// The module.
    let module: String
    /// The attributes in front of it, such as `@testable`.
    let attributes: [String]
    /// The line, counted from 1.
    let line: Int
}

extension SourceFile {
    /// The import declarations, in order.
    var imports: [Import] {
        lines.enumerated()
            .compactMap { index, line in
                let words = line.code.split(whereSeparator: \.isWhitespace).map(String.init)
                guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
                    words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.accessLevels.contains($0) })
                else { return nil }
                // `import struct X.Y` names a declaration of module X.
                let path =
                    Self.importKinds.contains(words[place + 1]) ? words.dropFirst(place + 2).first : words[place + 1]
                guard let module = path?.split(separator: ".").first else { return nil }
                return Import(
                    module: String(module),
                    attributes: words[..<place].filter { $0.hasPrefix("@") },
                    line: index + 1
                )
            }
    }

    private static let accessLevels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
    private static let importKinds: Set<String> = [
        "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
    ]
}
