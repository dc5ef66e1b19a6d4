/// Texts of others in a page: nothing of them is markup, and nothing of them hides or turns round what stands beside it.
enum CoverText {
    /// How many scalars of a text are shown.
    static let limit = 200

    /// Returns a text as HTML, in an element of its own direction that lets nothing hang out of it.
    static func html(_ text: String, limit: Int = limit) -> String {
        var html = "<bdi>"
        var count = 0
        for scalar in text.unicodeScalars {
            if count == limit {
                html += "\u{2026}"
                break
            }
            count += 1
            html += isHidden(scalar) ? "<i>U+\(digits(scalar))</i><wbr>" : escaped(scalar)
        }
        return html + (count == 0 ? "<i>empty</i>" : "") + "</bdi>"
    }

    /// Returns as much of a text as is shown, and one scalar more if there is more: an event may have megabytes of it.
    static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit + 1)))
    }

    /// Returns a text of ours as HTML, line ends as they are.
    static func plain(_ text: String) -> String { text.unicodeScalars.map(escaped).joined() }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: String(Character(scalar))
        }
    }

    private static func digits(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Returns whether a scalar has no picture, or changes those beside it.
    ///
    /// A list, and no property of Unicode: the page is made anew by other versions of the program, which know other versions of it.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Controls of ASCII and Latin-1, the soft hyphen.
        case 0...0x1F, 0x7F...0x9F, 0xAD: true
        // Marks of joining, width and direction; fillers that look like nothing.
        case 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E: true
        case 0x2060...0x206F, 0x2800, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0xFFFE...0xFFFF: true
        // Private use, musical controls, tags, and what is beyond every plane that has a picture.
        case 0xE000...0xF8FF, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0x10FFFF: true
        default: false
        }
    }
}
