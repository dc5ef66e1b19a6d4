import Foundation
import ObjectStore
import Testing

/// The operators on text, with the letters of several scripts, against a second implementation.
@Suite("Queries of text")
struct QueryTextTests {
    private static let texts = [
        "", "a", "A", "é", "e\u{301}", "É", "Straße", "STRASSE", "ΣΊΣΥΦΟΣ", "σίσυφος", "İ", "i", "I", "naïve 🩺👩‍👩‍👧",
        "%_*?",
        "\\", "a\u{0}b",
    ]
    private func column(_ values: [String]) -> MatrixColumn<String> {
        MatrixColumn(
            name: "String",
            values: values,
            isEqual: { $0.utf8.elementsEqual($1.utf8) },
            isLess: { $0.utf8.lexicographicallyPrecedes($1.utf8) },
            other: 5
        )
    }

    @Test("text is compared byte by byte")
    func byteByByte() throws {
        // A set has one element for texts that look the same, so that it holds plain text only.
        let matrix = try QueryMatrix(column(["b", "", "B", "ä", "z🩺"]))
        try matrix.check(matrix.comparisons)
        try matrix.check(matrix.sets)
        matrix.checkRefusals()
    }

    /// The form of a text in which it is compared, made in another way than the library does.
    private func bytes(_ text: String, _ options: StringOptions) -> [UInt8] {
        var result = text
        if options.contains(.diacriticInsensitive) {
            result = String(
                String.UnicodeScalarView(
                    result.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                        !CharacterSet.nonBaseCharacters.contains($0)
                    }
                )
            )
        }
        if options.contains(.caseInsensitive) {
            // Sigma has two small forms, which one capital letter stands for.
            result = result.uppercased().lowercased().replacingOccurrences(of: "ς", with: "σ")
        }
        return Array(result.utf8)
    }

    @Test(
        "text is searched with every option",
        arguments: [[], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]
            as [StringOptions]
    )
    func searching(options: StringOptions) throws {
        let matrix = try QueryMatrix(column(Self.texts))
        let suffix = ["", "[c]", "[d]", "[cd]"][options.rawValue]
        for text in ["", "a", "É", "e", "ss", "SS", "ς", "ΦΟΣ", "i", "🩺", "*", "\\", "b"] {
            let part = bytes(text, options)
            func form(_ text: String?) -> [UInt8]? { text.map { bytes($0, options) } }
            func form(_ text: String) -> [UInt8] { bytes(text, options) }
            try matrix.check([
                MatrixCondition(
                    "required CONTAINS\(suffix) %@",
                    text
                ) {
                    form($0.required).includes(part)
                } typed: {
                    $0.required.contains(text, options: options)
                },
                MatrixCondition(
                    "optional CONTAINS\(suffix) %@",
                    text
                ) {
                    form($0.optional)?.includes(part) ?? false
                } typed: {
                    $0.optional.contains(text, options: options)
                },
                MatrixCondition(
                    "required BEGINSWITH\(suffix) %@",
                    text
                ) {
                    form($0.required).starts(with: part)
                } typed: {
                    $0.required.starts(with: text, options: options)
                },
                MatrixCondition(
                    "optional ENDSWITH\(suffix) %@",
                    text
                ) {
                    form($0.optional).map { $0.reversed().starts(with: part.reversed()) } ?? false
                } typed: {
                    $0.optional.ends(with: text, options: options)
                },
                MatrixCondition("required ==\(suffix) %@", text) {
                    form($0.required) == part
                } typed: {
                    $0.required.equals(text, options: options)
                },
                MatrixCondition("optional !=\(suffix) %@", text) {
                    form($0.optional) != part
                } typed: {
                    $0.optional.notEquals(text, options: options)
                },
                MatrixCondition(
                    "ANY list BEGINSWITH\(suffix) %@",
                    text
                ) {
                    $0.elements.contains { form($0).starts(with: part) }
                } typed: {
                    $0.list.starts(with: text, options: options)
                },
                MatrixCondition("required IN\(suffix) %@", [text, "nothing"]) { form($0.required) == part },
            ])
        }
    }

    @Test("patterns have * for any characters and ? for one, and a backslash before what stands for itself")
    func patterns() throws {
        let matrix = try QueryMatrix(column(Self.texts))
        let table: [(pattern: String, ignoresCase: Bool, matches: Set<String>)] = [
            ("?", false, ["a", "A", "é", "É", "İ", "i", "I", "\\"]), ("a*", false, ["a", "a\u{0}b"]),
            ("A*", true, ["a", "A", "a\u{0}b"]), ("*🩺*", false, ["naïve 🩺👩‍👩‍👧"]), ("%_\\*\\?", false, ["%_*?"]),
            ("", false, [""]), ("s*SS?", true, ["Straße", "STRASSE"]), ("\\\\", false, ["\\"]),
        ]
        for (pattern, ignoresCase, matches) in table {
            let plain = Set(matches.map { Array($0.utf8) })
            try matrix.check([
                MatrixCondition(
                    "required LIKE\(ignoresCase ? "[c]" : "") %@",
                    pattern
                ) {
                    plain.contains(Array($0.required.utf8))
                } typed: {
                    $0.required.like(pattern, caseInsensitive: ignoresCase)
                }
            ])
        }
        matrix.checkRefused("required LIKE[d] 'x'")
        matrix.checkRefused("required <[c] 'x'")
        matrix.checkRefused("required CONTAINS nil")
    }
}
