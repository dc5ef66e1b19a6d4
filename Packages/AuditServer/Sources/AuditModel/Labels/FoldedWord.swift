import Foundation

/// The words of a name as they are compared: without case, accents and signs, in any order.
///
/// An umlaut is compared as its letter and as the two letters that are written for it, so that `Müller` is found as `muller` and
/// as `mueller`, and so is `Mueller` as `müller`. What Unicode only writes differently, such as full-width letters, is the same
/// (its compatibility decomposition, UAX #15).
package struct FoldedWord: Sendable, Hashable {
    /// The most words of a text that are compared.
    package static let maximumCount = 12
    /// The most bytes of a word that are compared.
    private static let maximumBytes = 48

    /// How the word may be written, each once: one or two texts.
    package private(set) var forms: [String]

    /// Returns the first words of a text.
    ///
    /// - Complexity: O(*n*) in the bytes of the text.
    package static func all(in text: String) -> [FoldedWord] {
        var words: [FoldedWord] = []
        var (plain, spelled) = ("", "")
        func end() {
            if !plain.isEmpty, words.count < maximumCount { words.append(FoldedWord(plain, spelled)) }
            (plain, spelled) = ("", "")
        }
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar.value {
            // Apostrophes: what they join is one word.
            case 0x27, 0x2019, 0x2BC: continue
            // Two dots above: a letter that is also written with an e.
            case 0x308:
                if let last = spelled.unicodeScalars.last, "aou".unicodeScalars.contains(last) { spelled += "e" }
            case _ where scalar.properties.generalCategory == .nonspacingMark: continue
            case _ where scalar.properties.isAlphabetic || scalar.properties.numericType != nil:
                let letter = Self.letter(scalar)
                plain += letter.plain
                spelled += letter.spelled
            default: end()
            }
        }
        end()
        return words
    }

    private init(_ plain: String, _ spelled: String) {
        let forms = [plain, spelled].map { Self.cut($0) }
        self.forms = forms[0] == forms[1] ? [forms[0]] : forms
    }

    /// Returns whether a word begins as this one does.
    package func begins(_ word: FoldedWord) -> Bool {
        forms.contains { form in word.forms.contains { $0.utf8.starts(with: form.utf8) } }
    }

    /// Letters that Unicode does not take apart, and the two letters that are written for some of them.
    private static func letter(_ scalar: Unicode.Scalar) -> (plain: String, spelled: String) {
        let letter = scalar.properties.lowercaseMapping
        switch letter {
        case "ß": return ("ss", "ss")
        case "ø": return ("o", "oe")
        case "æ": return ("ae", "ae")
        case "œ": return ("oe", "oe")
        case "ł": return ("l", "l")
        case "đ", "ð": return ("d", "d")
        case "þ": return ("th", "th")
        case "ħ": return ("h", "h")
        case "ı": return ("i", "i")
        case "ς": return ("σ", "σ")
        default: return (letter, letter)
        }
    }

    private static func cut(_ text: String) -> String {
        var text = text
        while text.utf8.count > maximumBytes { text.unicodeScalars.removeLast() }
        return text
    }
}
