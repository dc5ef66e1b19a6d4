import AuditConsole
import Testing

@Suite("Files of the console")
struct ConsoleFilesTests {
    private static func text(_ name: String) throws -> String {
        let file = try #require(ConsoleFiles.all[name])
        return try #require(String(validating: file.bytes, as: UTF8.self))
    }

    private static func folder(_ name: String) -> Substring? {
        name.lastIndex(of: "/").map { name[..<$0] }
    }

    /// Where an import leads, as a path among the files.
    private static func target(_ address: Substring, from name: String) -> String {
        let parts = address.split(separator: "/")
        if parts.first == ".." { return parts.dropFirst().joined(separator: "/") }
        return ((folder(name).map { [$0] } ?? []) + parts.dropFirst()).joined(separator: "/")
    }

    @Test("a script of a page loads what belongs to that page and shared parts alone, and all that it loads is served")
    func walls() throws {
        let scripts = ConsoleFiles.all.keys.filter { $0.hasSuffix(".js") }
        #expect(scripts.count > 40)
        for name in scripts {
            for found in try Self.text(name).matches(of: #/ from "(\.[^"]+)"/#) {
                let target = Self.target(found.1, from: name)
                #expect(ConsoleFiles.all[target] != nil, "\(name) loads \(target)")
                guard let page = Self.folder(name) else { continue }
                let room = Self.folder(target)
                #expect(room == page || (room == "ui" && page != "ui"), "\(name) loads \(target)")
            }
        }
    }

    @Test("the first page loads each style once, and nothing that is not served")
    func styles() throws {
        let loaded = try Self.text(ConsoleFiles.start).matches(of: #/(?:href|src)="/console/([^"]+)"/#)
            .map { String($0.1) }

        #expect(loaded.allSatisfy { ConsoleFiles.all[$0] != nil })
        let styles = ConsoleFiles.all.keys.filter { $0.hasSuffix(".css") }.sorted()
        #expect(loaded.filter { $0.hasSuffix(".css") }.sorted() == styles)
    }

    @Test("no file has more than 400 lines")
    func lengths() throws {
        for name in ConsoleFiles.all.keys {
            #expect(
                try Self.text(name).split(separator: "\n", omittingEmptySubsequences: false).count <= 401,
                "\(name)"
            )
        }
    }
}
