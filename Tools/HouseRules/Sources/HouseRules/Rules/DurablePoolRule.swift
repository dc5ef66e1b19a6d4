/// A pool of GRDB syncs no commit unless somebody sets that behind its opening, which one place does and asks back.
package struct DurablePoolRule: FileRule {
    /// The name that reports show.
    package let name: String = "durable-pool"

    /// Creates the rule.
    package init() {}

    /// Objects to pools in sources without the mark on their line or right above it.
    package func findings(in file: SourceFile) -> [Finding] {
        guard file.role == .source else { return [] }
        return file.lines.indices.compactMap { index in
            guard file.lines[index].says("DatabasePool("), !file.hasComment("SYNC:", at: index) else { return nil }
            let message = """
                Open it with `DatabasePool.durable`, or say with `// SYNC: why` where its commits are synced or need not be: \
                GRDB sets `synchronous` to NORMAL behind what a configuration prepares.
                """
            return Finding(path: file.path, line: index + 1, message: message)
        }
    }
}
