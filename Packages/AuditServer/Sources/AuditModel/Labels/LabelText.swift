/// Makes what people wrote into one line that can be shown among others.
enum LabelText {
    /// The most characters of a label.
    static let maximumCount = 120
    /// What is left over at an end where a property has no value.
    private static let joints: Set<Character> = [" ", ",", ";", ":", "-", "–", "/", "·", "|"]

    /// Returns a value without what would change how the line around it reads: line breaks, and marks that turn its direction.
    static func tidy(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: text.unicodeScalars.append(" ")
            // Direction, invisible signs, and the tags of languages; the joiners of scripts that need them stay.
            case 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xE0000...0xE007F, 0x61C: continue
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text.split(separator: " ").joined(separator: " ")
    }

    /// Returns a label without what stood around values that are not there, cut where it is long.
    static func whole(_ label: String) -> String {
        var text = label[...]
        for empty in [" ()", " []", "()", "[]"] where text.contains(empty) {
            text = text.split(separator: empty, omittingEmptySubsequences: false).joined()[...]
        }
        while let first = text.first, joints.contains(first) { text = text.dropFirst() }
        while let last = text.last, joints.contains(last) { text = text.dropLast() }
        return text.count > maximumCount ? "\(text.prefix(maximumCount - 1))…" : String(text)
    }
}
