import EventModel
import EventSerialization
import EventSerializationTesting
import Testing

/// What happens to the JSON that a class makes itself.
@Suite("The JSON of a custom representation")
struct CanonicalJSONTests {
    static let accepted: [(text: String, canonical: String)] = [
        (#"{"int": 2}"#, #"{"int":2}"#), ("{}", "{}"), (" [ ] ", "[]"), ("null", "null"), ("true", "true"),
        ("\n\tfalse\r\n", "false"), ("0", "0"), ("-0", "-0"), ("-12.50e+07", "-12.50e+07"), ("1E5", "1E5"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("[1 , \"a\",[ ],{ } , null]", #"[1,"a",[],{},null]"#),
        (#"{"b":{"d":1,"c":[{"y":1,"x":2}]},"a":3}"#, #"{"a":3,"b":{"c":[{"x":2,"y":1}],"d":1}}"#),
        (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#), (#"{"":1,"é":2,"z":3,"Z":4}"#, #"{"":1,"Z":4,"z":3,"é":2}"#),
        (#"{"b":1,"\u0061":2,"\n":3}"#, #"{"\n":3,"a":2,"b":1}"#), (#""\/\\\"\b\f\n\r\t""#, #""/\\\"\b\f\n\r\t""#),
        (#""\u0041\u00e9\uD83E\uDE7A\u0000\u001F\u007f""#, "\"Aé🩺\\u0000\\u001f\u{7F}\""),
        ("\"\u{2028}\u{2029} 🩺\"", "\"\u{2028}\u{2029} 🩺\""),
    ]

    @Test("it is stored without spaces, with sorted keys and the fewest escapes", arguments: accepted)
    func canonical(sample: (text: String, canonical: String)) throws {
        #expect(try objectText(custom(sample.text)) == sample.canonical)
    }

    static let refused: [(text: String, offset: Int)] = [
        ("", 0), ("  ", 2), ("invalid json", 0), ("{", 1), ("[", 1), ("[1", 2), ("[1 2]", 3), (#"{"a"}"#, 4),
        (#"{"a" 1}"#, 5), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7), ("[1,]", 3), ("[,]", 1), ("{a:1}", 1), ("{'a':1}", 1),
        ("01", 1), ("-", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1e", 2), ("1e+", 3), ("0x10", 1), ("NaN", 0),
        ("Infinity", 0), ("nul", 3), ("True", 0), ("nulll", 4), (#""a"#, 2), (#""\x""#, 2), (#""\u12g4""#, 5),
        (#""\"#, 2), (#""\ud800""#, 3), (#""\ud800\u0041""#, 3), (#""\udc00""#, 3), (#""\ud800\ud800""#, 3),
        ("\"\u{1}\"", 1), ("\"\n\"", 1), ("{} {}", 3), ("[]]", 2), ("\u{FEFF}{}", 0), ("/**/1", 0),
    ]

    @Test("what is not JSON is an error that says where, and nothing is appended", arguments: refused)
    func malformed(sample: (text: String, offset: Int)) throws {
        let error = SerializationError.malformedRepresentation(className: "Custom", offset: sample.offset)
        var bytes: [UInt8] = [7]

        #expect(throws: error) {
            let object = ReadObject(snapshot: custom(sample.text))
            try JSONSnapshotEncoder().appendRead(type: "Custom", objects: [object], to: &bytes)
        }
        #expect(bytes == [7])
    }

    @Test("no text is accepted when its end is missing, and its own form is left as it is")
    func prefixes() throws {
        let text = #"{"a": [1, -2.5e3, "x\u00e9\ud83e\ude7a\\", true, null, {"b": {}}], "A": false}"#

        for end in text.indices.dropFirst() {
            #expect(throws: SerializationError.self) { try objectText(custom(String(text[..<end]))) }
        }
        let canonical = try objectText(custom(text))
        #expect(canonical == #"{"A":false,"a":[1,-2.5e3,"xé🩺\\",true,null,{"b":{}}]}"#)
        #expect(try objectText(custom(canonical)) == canonical)
    }

    @Test("128 levels are accepted, one more is refused", arguments: [("[", "]", 1), (#"{"a":"#, "}", 5)])
    func depth(opening: String, closing: String, length: Int) throws {
        func nested(_ levels: Int) -> String {
            String(repeating: opening, count: levels - 1) + (opening == "[" ? "[]" : "{}")
                + String(repeating: closing, count: levels - 1)
        }

        #expect(try objectText(custom(nested(128))) == nested(128))
        #expect(throws: SerializationError.malformedRepresentation(className: "Custom", offset: 128 * length)) {
            try objectText(custom(nested(129)))
        }
    }

    @Test("a representation of ten million bytes is read in one go")
    func large() throws {
        let text = "{\"text\":\"" + String(repeating: "é", count: 5_000_000) + "\"}"

        #expect(try objectText(custom(text)) == text)
    }

    @Test("the error shows neither the text nor its words")
    func privacy() throws {
        let error = try #require(throws: SerializationError.self) { try objectText(custom("secret")) }

        #expect(!error.description.contains("secret"))
        #expect(error.description.contains("'Custom'"))
    }
}
