import AuditServerTesting
import EventModel
import EventModelTesting
import Testing

@testable import AuditModel

@Suite("Labels of objects")
struct LabelTemplateTests {
    /// What the objects of an event are called where a patient has this label.
    private func labels(_ template: String, _ data: String, event: String = "read") throws -> [String] {
        try Self.names(["Patient": template], data, event: event).map(\.text.string)
    }

    private static func names(
        _ templates: [String: String],
        _ data: String,
        event: String = "read",
        owner: EventOwner = SampleDevice.owner,
        masks: EventMasks = .none
    ) throws -> [ObjectLabel] {
        let device = SampleDevice()
        let stored = StoredEvent(
            partition: device.partition,
            sequence: 1,
            owner: owner,
            event: device.event("a", event: event, data: data),
            leaf: nil,
            received: nil
        )
        var classes: [ExactText: LabelTemplate] = [:]
        for (name, text) in templates { classes[ExactText(name)] = try LabelTemplate(text) }
        return ObjectLabels(apps: [SampleDevice.owner.app: ClassLabels(classes)]).all(in: masks.shown(stored))
    }

    private func read(_ object: String) -> String { #"{"type":"Patient","value":[\#(object)]}"# }

    @Test(
        "a label has the values of its properties, without what stood around those that are missing",
        arguments: [
            (#"{"_id":"p1","family":"Muster","given":"Anna","ward":7}"#, "Muster, Anna (7)"),
            (#"{"_id":"p1","family":"Muster","given":null,"ward":7}"#, "Muster (7)"),
            (#"{"_id":"p1","family":"Muster","given":"Anna"}"#, "Muster, Anna"),
            (#"{"_id":"p1","family":"Muster"}"#, "Muster"),
            (#"{"_id":"p1","given":"Anna"}"#, "Anna"),
            (#"{"_id":"p1","family":"","given":""}"#, nil),
            (#"{"_id":"p1"}"#, nil),
            (#"{"family":"Muster"}"#, nil),
            (#"{"id":4,"family":"M\u00fcller\n\u202eanna"}"#, "Müller anna"),
        ] as [(String, String?)]
    )
    func values(object: String, label: String?) throws {
        let found = try labels("{family}, {given} ({ward})", read(object))
        #expect(found == [label].compactMap(\.self))
    }

    @Test("a path with dots leads into an object inside the object, and a list is its first texts")
    func path() throws {
        let object =
            #"{"_id":"p1","name":{"family":"Muster","given":["Anna",null,{"a":1},"Maria",7],"of":{"family":"x"}},"family":"y"}"#
        #expect(try labels("{name.family} {name.given}", read(object)) == ["Muster Anna Maria 7"])
        let many = (0..<20).map { "\"n\($0)\"" }.joined(separator: ",")
        #expect(try labels("{given}", read(#"{"_id":"p1","given":[\#(many)]}"#)) == ["n0 n1 n2 n3 n4 n5 n6 n7"])
        #expect(try labels("{name}", read(object)) == [])
        #expect(try labels("{name.of.family}/{family}", read(object)) == ["x/y"])
    }

    @Test("a write tells what objects were called before and afterwards, new ones and deleted ones")
    func writing() throws {
        let data = """
            {"Patient":{"insertions":[{"_id":"p1","family":"Neu"}],"deletions":[{"_id":"p2","family":"Weg"}],\
            "modifications":[{"oldValue":{"_id":"p3","family":"Alt","given":"Eva"},"newValue":{"family":"Jung"}},\
            {"newValue":{"ward":2},"oldValue":{"_id":"p4","family":"Gleich"}}]},"Visit":{"insertions":[{"_id":"v1","family":"No"}]}}
            """
        let found = try Self.names(["Patient": "{family} {given}"], data, event: "write")
        #expect(
            found.map { "\($0.objectClass) \($0.key) \($0.text)" } == [
                "Patient p1 Neu", "Patient p2 Weg", "Patient p3 Alt Eva", "Patient p3 Jung Eva", "Patient p4 Gleich",
            ]
        )
    }

    @Test("an object of which a value of its label is masked has none, and the others keep theirs")
    func masked() throws {
        let masks = EventMasks(apps: [SampleDevice.owner.app: EventMask([try MaskedField("Patient.family")])])
        let data = read(#"{"_id":"p1","family":"Muster","given":"Anna"},{"_id":"p2","given":"Eva"}"#)
        func found(_ template: String) throws -> [String] {
            try Self.names(["Patient": template], data, masks: masks).map(\.text.string)
        }
        #expect(try found("{family}, {given}") == ["Eva"])
        #expect(try found("{given}") == ["Anna", "Eva"])
        let whole = EventMasks(apps: [SampleDevice.owner.app: EventMask([try MaskedField("Patient.name")])])
        let nested = read(#"{"_id":"p1","name":{"family":"Muster"},"given":"Anna"}"#)
        #expect(try Self.names(["Patient": "{name.family} {given}"], nested, masks: whole).isEmpty)
        #expect(try Self.names(["Patient": "{name.family} {given}"], nested).map(\.text.string) == ["Muster Anna"])
    }

    @Test("only reads and writes of the app itself are looked at, and what is no JSON has no labels")
    func others() throws {
        let data = read(#"{"_id":"p1","family":"Muster"}"#)
        let names = ["Patient": "{family}"]
        let elsewhere = EventOwner(app: "lab", user: "u")
        #expect(try Self.names(names, data).count == 1)
        #expect(try Self.names(names, data, owner: elsewhere).isEmpty)
        #expect(try Self.names(names, data, event: "button").isEmpty)
        for cut in 0..<data.utf8.count {
            let found = try Self.names(names, String(data.prefix(cut)))
            #expect(found.allSatisfy { $0.text.string == "Muster" })
        }
        #expect(try Self.names(names, #"{"type":"Patient","value":{"_id":"p1"}}"#).isEmpty)
        #expect(try Self.names(names, #"{"Patient":[]}"#, event: "write").isEmpty)
    }

    @Test("an event has each label once, up to the number that is asked for, and a long one is cut")
    func bounded() throws {
        let objects = (0..<50).map { #"{"_id":"p\#($0 / 2)","family":"\#(String(repeating: "ä", count: 500))"}"# }
        let found = try Self.names(["Patient": "{family}"], read(objects.joined(separator: ",")))
        #expect(found.count == 25)
        #expect(found.allSatisfy { $0.text.string.count == 120 && $0.text.string.hasSuffix("ä…") })
        let device = SampleDevice()
        let stored = StoredEvent(
            partition: device.partition,
            sequence: 1,
            owner: SampleDevice.owner,
            event: device.event("a", data: read(objects.joined(separator: ","))),
            leaf: nil,
            received: nil
        )
        let labels = ObjectLabels(
            apps: [:],
            others: ClassLabels([ExactText("Patient"): try LabelTemplate("{family}")])
        )
        #expect(labels.all(in: stored, atMost: 3).count == 3)
        #expect(EventObject.all(in: stored, labels).allSatisfy { $0.label?.count == 120 })
    }

    @Test(
        "a template that could never be a label is refused with what is wrong",
        arguments: [
            ("", "1 to 256 bytes"), (String(repeating: "{a}", count: 86), "1 to 256 bytes"), ("family", "in braces"),
            ("{family", "partner"), ("family}", "partner"), ("{{family}}", "between the braces"), ("{}", "between"),
            ("{a..b}", "between"), ("{a.b.c.d.e.f.g.h.i}", "between"), ("{a}{b}{c}{d}{e}{f}{g}{h}{i}", "1 to 8"),
        ]
    )
    func refused(text: String, reason: String) {
        let error = #expect(throws: AuditServerError.self) { try LabelTemplate(text) }
        #expect(error.map { "\($0)" }?.contains(reason) == true, "\(String(describing: error))")
    }
}
