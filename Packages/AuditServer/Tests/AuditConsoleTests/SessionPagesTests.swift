import AuditHTTP
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import GRDB
import Testing

@Suite("Sessions and records in a browser", .enabled(if: Browser.isInstalled, Browser.skipped), .serialized)
struct SessionPagesTests {
    private static let start: Int64 = 1_700_000_100_000_000
    private static let bob = EventOwner(app: "ward-app", user: "0000000000000000000000bb")

    private static func event(
        _ number: Int,
        _ activity: String,
        _ type: String,
        _ data: String?,
        at second: Int64,
        ticks: Int64? = nil,
        committed: Int64? = nil,
        marks: AuditEvent.Marks = []
    ) throws -> AuditEvent {
        AuditEvent(
            id: ObjectId(high: 11, low: UInt32(number)),
            clock: ClockReading(
                wall: EventInstant(microseconds: start + second * 1_000_000),
                monotonicNanoseconds: UInt64(1000 + (ticks ?? second)) * 1_000_000_000,
                boot: Boot(high: 5, low: 5)
            ),
            activity: activity,
            event: type,
            data: data.map { Array($0.utf8) },
            metadata: try EventMetadata(["userId": "bob", "device": "Tablet 7"]),
            scopeCommitted: committed.map { EventInstant(microseconds: start + $0 * 1_000_000) },
            marks: marks
        )
    }

    /// Somebody who moved p1, opened the chart of a visit, was away for an hour, and whose app ended in the middle of the next one.
    private static func tablet() throws -> SampleDevice {
        var device = SampleDevice(2)
        let patient =
            #"{"type":"Patient","value":[{"_id":"p1","allergies":["latex","pollen"],"bed":"7A","name":"Anna Berg"}]}"#
        let move = """
            {"Patient":{"modifications":[{"newValue":{"bed":"9C"},\
            "oldValue":{"_id":"p1","allergies":["latex","pollen"],"bed":"7A","name":"Anna Berg"}}]}}
            """
        let visit = #"{"type":"Visit","value":[{"_id":"v1","nurse":"bob","patient":"p1","reason":"fall"}]}"#
        device.record(try event(1, "Move bed", "read", patient, at: 0, committed: 45))
        device.record(try event(2, "Move bed", "write", move, at: 40, committed: 45))
        device.record(try event(3, "Print label", "button", #"{"copies":2}"#, at: 42))
        device.record(try event(4, "Rounds", "read", visit, at: 3700, ticks: 100, committed: 3720))
        device.record(
            try event(5, "Rounds", "read", patient.replacing("7A", with: "9C"), at: 3710, ticks: 110, committed: 3720)
        )
        device.record(try event(6, "Discharge", "read", visit, at: 3760, ticks: 160, marks: .interrupted))
        return device
    }

    @Test("a session is stepped through with keys and buttons, and each step shows what was on the screen")
    func timeline() async throws {
        let tablet = try Self.tablet()
        try await ConsoleTests.inConsole(with: [(tablet, Self.bob)]) { browser, _, _ in
            try await ConsoleTests.open("#/timeline?person=bob", in: browser)
            _ = try await browser.text(of: ".shown .badge.held")
            let first = try await browser.text(of: ".position")
            #expect(first.contains("Step 1 of 6") && first.contains("Move bed"))
            let bars = try await browser.run("return document.querySelectorAll('.timeline .bar').length")
            #expect(bars == "3")
            let key = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))"
            try await browser.run(key)
            let marked = try await browser.text(of: ".shown .comparison ins")
            #expect(marked == "9C")
            let current = try await browser.text(of: ".step[aria-current]")
            #expect(current.contains("changed Patient p1"))
            let address = try await browser.run("return decodeURIComponent(location.hash)")
            #expect(address.hasSuffix("step=\(tablet.partition.value)/2"))
            try await browser.run("document.querySelector('[aria-label=\"Last step\"]').click()")
            let last = try await browser.text(of: ".position .tag.warning")
            #expect(last.contains("interrupted"))
            // The address leads to the same step again.
            let step = "step=\(tablet.partition.value)%2F4"
            try await ConsoleTests.open("#/timeline?person=bob&\(step)", in: browser)
            _ = try await browser.text(of: ".shown .sheet h3")
            let again = try await browser.text(of: ".position")
            #expect(again.contains("Step 4 of 6"))
        }
    }

    @Test(
        "a record is shown as a person saw it, beside what was known elsewhere, and each value leads to its proven event"
    )
    func reconstruction() async throws {
        let tablet = try Self.tablet()
        try await ConsoleTests.inConsole(with: [(tablet, Self.bob)]) { browser, folder, _ in
            try await ConsoleTests.open("#/reconstruct?class=Patient&key=p1&person=ada", in: browser)
            _ = try await browser.text(of: ".reconstruction .badge.proven")
            _ = try await browser.text(of: ".reconstruction .badge.held")
            let seen = try await browser.text(of: "td[data-label=Seen][data-field=bed]")
            #expect(seen.contains("not shown"))
            let known = try await browser.text(of: "td[data-label=Known][data-field=bed]")
            #expect(known.contains("9C") && known.contains("bob"))
            let name = try await browser.text(of: "td[data-label=Seen][data-field=name]")
            #expect(name.contains("Anna Berg") && name.contains("Open chart"))

            try await DatabaseQueue.beside(folder.file("db"))
                .write { database in
                    let devices = "SELECT id FROM EventOwner WHERE app <> 'daybook/auditors'"
                    let sql = "UPDATE AuditEvent SET activity = activity || '.' WHERE daybook_owner IN (\(devices))"
                    try database.execute(sql: sql)
                }
            try await ConsoleTests.open(
                "#/reconstruct?class=Patient&key=p1&person=ada&at=2026-01-01T00:00:00Z",
                in: browser
            )
            _ = try await browser.text(of: ".reconstruction .badge.broken")
        }
    }

    @Test("a key in an event leads to everything about the object, and from there to the person and the person's view")
    func subjects() async throws {
        let tablet = try Self.tablet()
        try await ConsoleTests.inConsole(with: [(tablet, Self.bob)]) { browser, _, _ in
            try await ConsoleTests.open("#/event/\(tablet.partition.value)/4", in: browser)
            _ = try await browser.text(of: ".fields dd a.key")
            try await browser.run(
                "document.querySelectorAll('.fields dd a.key').forEach((a) => a.textContent === 'p1' && a.click())"
            )
            _ = try await browser.text(of: ".subject .results tbody tr:nth-child(5)")
            let figures = try await browser.text(of: ".subject .figures")
            #expect(figures.contains("5\nevents"))
            try await ConsoleTests.open("#/object/Patient/p1", in: browser)
            let people = try await browser.text(of: ".tallies tbody tr:nth-child(2)")
            #expect(people.contains("as they saw it"))
            try await ConsoleTests.open("#/person/bob", in: browser)
            _ = try await browser.text(of: ".subject .results tbody tr:nth-child(6)")
            let title = try await browser.text(of: "h1")
            #expect(title == "Person bob")
        }
    }

    @Test(
        "completeness names devices as their events do, and tells of clocks that were set and scopes that were interrupted"
    )
    func completeness() async throws {
        let tablet = try Self.tablet()
        try await ConsoleTests.inConsole(with: [(tablet, Self.bob)]) { browser, _, device in
            try await ConsoleTests.open("#/completeness", in: browser)
            let key = try device.seal().publicKey
            let page = try await browser.text(of: ".completeness")
            #expect(page.contains("Tablet 7"))
            #expect(page.contains("Device \(Hexadecimal.text(key).prefix(4))"))
            let clocks = try await browser.text(of: ".clocks tbody")
            #expect(clocks.contains("60 min forward"))
            let interrupted = try await browser.text(of: ".interrupted tbody")
            #expect(interrupted.contains("Discharge"))
        }
    }
}
