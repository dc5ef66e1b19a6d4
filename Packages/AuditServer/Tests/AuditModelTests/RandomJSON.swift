import EventModelTesting
import Foundation

/// Makes objects whose members `secret` and `inner.hidden` hold a secret, and what is shown of them when these are masked.
struct RandomJSON {
    static let secret = "s3cr3t"

    private var numbers: SeededGenerator

    init(seed: UInt64) {
        numbers = SeededGenerator(seed: seed)
    }

    /// Makes a payload of a read, and one of its objects by itself.
    mutating func payload() -> (text: String, shown: String, object: String, shownObject: String) {
        let objects = (0...Int.random(in: 0...3, using: &numbers)).map { _ in object() }
        let (whole, shown) = (objects.map(\.whole), objects.map(\.shown))
        return (
            #"{"type":"P","value":[\#(whole.joined(separator: ","))]}"#,
            #"{"type":"P","value":[\#(shown.joined(separator: ","))]}"#, whole[0], shown[0]
        )
    }

    private mutating func object() -> (whole: String, shown: String) {
        var members: [(name: String, whole: String, shown: String)] = []
        for index in 0..<Int.random(in: 0...4, using: &numbers) {
            let value = harmless(depth: 0)
            members.append(("m\(index)", value, value))
        }
        let (whole, kind) = secretValue()
        members.append(("secret", whole, #"{"$masked":"\#(kind)"}"#))
        let (inner, innerKind) = secretValue()
        let plain = harmless(depth: 1)
        members.append(
            (
                "inner", #"{"hidden":\#(inner),"x":\#(plain)}"#,
                #"{"hidden":{"$masked":"\#(innerKind)"},"x":\#(plain)}"#
            )
        )
        members.shuffle(using: &numbers)
        let gap = space()
        let text = { (value: KeyPath<(name: String, whole: String, shown: String), String>) in
            "{" + members.map { "\"\($0.name)\":\(gap)\($0[keyPath: value])" }.joined(separator: ",\(gap)") + "}"
        }
        return (text(\.whole), text(\.shown))
    }

    private mutating func secretValue() -> (String, kind: String) {
        let odd = ["", #"\""#, #"\\"#, "é🩺", #"\u0041"#, "}]{[,:"].randomElement(using: &numbers) ?? ""
        let text = "\"\(odd)\(Self.secret)\(odd)\""
        switch Int.random(in: 0...3, using: &numbers) {
        case 0: return ("[1,\(text),[\(harmless(depth: 1))]]", "list")
        case 1: return (#"{"deep":[{"er":\#(text)}]}"#, "object")
        default: return (text, "string")
        }
    }

    /// A value without the secret, and without the names that are masked.
    private mutating func harmless(depth: Int) -> String {
        switch Int.random(in: 0...(depth < 3 ? 6 : 3), using: &numbers) {
        case 0: return "null"
        case 1: return ["true", "false"].randomElement(using: &numbers) ?? "true"
        case 2: return "\(Int.random(in: -1000...1000, using: &numbers)).5e-3"
        case 3:
            return [#""""#, #""plain""#, #""\"}],{[\\""#, #""\u00e9\n""#, #""é🩺""#].randomElement(using: &numbers)
                ?? "0"
        case 4: return "[\(harmless(depth: depth + 1)),\(space())\(harmless(depth: depth + 1))]"
        case 5: return "[]"
        default: return #"{"_id":"k","y":\#(harmless(depth: depth + 1))}"#
        }
    }

    private mutating func space() -> String { ["", " ", "\n\t"].randomElement(using: &numbers) ?? "" }

    /// Reads a text with a reader that is not ours.
    static func check(_ text: String) throws {
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }
}
