/// Nothing takes the first or last element of what is filtered lazily.
///
/// Such a collection looks for the element's place and then asks once more for what is there: `compactMap` of a weak reference traps
/// where the object went in between, and everything else is done twice. A loop, or a collection that is not lazy, asks once.
package struct LazyEndRule: FileRule {
    /// The name that reports show.
    package let name: String = "lazy-end"

    /// Creates the rule.
    package init() {}

    /// Objects to chains from `lazy` over a filter to `first` or `last`, also over several lines.
    package func findings(in file: SourceFile) -> [Finding] {
        file.lines.indices.compactMap { index in
            guard file.lines[index].code.contains(".lazy"), asksTwice(chain(in: file, from: index)) else { return nil }
            return Finding(
                path: file.path,
                line: index + 1,
                message:
                    "Find the element in a loop, or without `lazy`: its end is computed twice, and may be gone at the second time."
            )
        }
    }

    /// The code of a line with the lines that go on with it.
    private func chain(in file: SourceFile, from index: Int) -> String {
        var code = file.lines[index].code
        for line in file.lines[(index + 1)...] {
            guard let step = line.code.firstIndex(where: { $0 != " " }), line.code[step] == "." else { break }
            code += line.code[step...]
        }
        return code
    }

    private func asksTwice(_ chain: String) -> Bool {
        chain.contains(/\.lazy\..*(compactMap|filter)\s*[({].*\.(first|last)(?!\w|\s*[({])/)
    }
}
