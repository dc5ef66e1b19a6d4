import AuditAccounts
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import SQLiteStore
import Testing

@Suite("The access report of the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct AccessReportTests {
    private static let hostile = "<script>window.hacked=1</script>"
    private static let address = "#/report/Patient/p1"

    /// Ada sees the record twice in an hour, changes it the next day with a reason, and Bob looks at it once.
    private static func server() async throws -> (ConsoleServer, SampleDevice) {
        let labels = ClassLabels([ExactText("Patient"): try LabelTemplate("{family}, {given}")])
        let staff = try StaffDirectory(reading: Array("id,name,role,unit\nada,Ada Berg,nurse,Ward 7\n".utf8))
        let server = try await ConsoleServer(
            ServerConfiguration(apps: ["ward-app": AppSettings(labels: labels, staff: staff)])
        )
        let anna = #"{"_id":"p1","family":"Müller","given":"Anna"}"#
        let read = #"{"type":"Patient","value":[\#(anna)]}"#
        let write = #"{"Patient":{"modifications":[{"newValue":{"given":"Anne","ward":7},"oldValue":\#(anna)}]}}"#
        let other = #"{"type":"Patient","value":[{"_id":"p2","family":"Berg"}]}"#
        let steps: [(minute: Int64, who: String, reason: String?, event: String, data: String)] = [
            (0, "ada", nil, "read", read), (10, "ada", nil, "read", read), (12, "bob", hostile, "read", read),
            (15, "ada", nil, "read", other),
            (60, "ada", nil, "read", read), (1500, "ada", "phone call", "write", write),
        ]
        var device = SampleDevice()
        for (number, step) in steps.enumerated() {
            var metadata = ["userId": step.who]
            metadata["reason"] = step.reason
            device.record(
                AuditEvent(
                    id: ObjectId(high: 9, low: UInt32(number)),
                    clock: ClockReading(
                        wall: EventInstant(microseconds: 1_700_000_000_000_000 + step.minute * 60_000_000),
                        monotonicNanoseconds: UInt64(step.minute * 60_000_000_000),
                        boot: Boot(high: 1, low: 1)
                    ),
                    activity: "Rounds",
                    event: step.event,
                    data: Array(step.data.utf8),
                    metadata: try EventMetadata(metadata),
                    scopeCommitted: nil
                )
            )
        }
        _ = try await server.store.accept(device.upload(1...6, seal: device.seal()))
        return (server, device)
    }

    private static func rows(_ browser: Browser) async throws -> String {
        _ = try await browser.text(of: ".visits tbody tr, .report .none")
        return try await browser.run(
            "return [...document.querySelectorAll('.visits tbody tr')].map((row) => [...row.children].slice(1).map((cell) => cell.textContent).join('|')).join('\\n')"
        )
    }

    @Test("a click on the object's page leads to who looked at it, by visits, with reasons, and nothing of others")
    func visits() async throws {
        let (server, _) = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            // Lists and tables name who is in the directory, too.
            #expect(try await browser.text(of: ".results").contains("Ada Berg"))
            try await browser.visit("#/person/ada", ".subject .results tbody tr")
            #expect(try await browser.text(of: "h1") == "Person Ada Berg ada")
            let called = try await browser.text(of: ".called")
            #expect(called == "Ada Berg (nurse, Ward 7) by the directory of staff; recorded as ada")
            try await browser.visit("#/timeline?person=ada", ".shown .badge")
            #expect(try await browser.text(of: ".position").contains("by Ada Berg"))
            try await browser.visit("#/object/Patient/p1", ".subject .results tbody tr")
            try await browser.run(
                "[...document.querySelectorAll('.tools a')].find((one) => one.textContent === 'Access report').click()"
            )
            #expect(
                try await Self.rows(browser) == """
                    Ada Berg (nurse, Ward 7)|seen 2 times|Rounds|none
                    bob|seen|Rounds|\(Self.hostile)
                    Ada Berg (nurse, Ward 7)|seen|Rounds|none
                    Ada Berg (nurse, Ward 7)|changed: given, ward|Rounds|phone call
                    """
            )
            let head = try await browser.text(of: ".report")
            #expect(head.contains("Müller, Anne (Patient p1)"), "what the patient is called by now")
            try await browser.takePicture("report")
            #expect(head.contains("4 visits by 2 people") && head.contains("everything that is kept"))
            #expect(try await browser.run("return document.title").contains("Who looked at this record"))
        }
    }

    @Test("a time, hidden names of the staff and each language are in the address, and the form sets them")
    func asked() async throws {
        let (server, _) = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.visit(
                "\(Self.address)?since=2023-11-14T22:20:00Z&until=2023-11-14T23:00:00Z&staff=hidden&language=de",
                ".report"
            )
            #expect(
                try await Self.rows(browser)
                    == "Beschäftigte Person 1|gesehen|Rounds|keiner\nBeschäftigte Person 2|gesehen|Rounds|\(Self.hostile)"
            )
            let text = try await browser.text(of: ".report[lang=de]")
            #expect(text.contains("Wer diese Akte angesehen hat") && text.contains("2 Besuche von 2 Personen"))
            #expect(!text.contains("ada") && !text.contains("Ada") && !text.contains("bob"))
            try await browser.run(
                "document.querySelector('#report-staff').click(); document.querySelector('#report-language').value = 'fr'"
            )
            try await browser.run("document.querySelector('.report-form').requestSubmit()")
            _ = try await browser.text(of: ".report[lang=fr]")
            #expect(
                try await Self.rows(browser)
                    == "Ada Berg (nurse, Ward 7)|vu|Rounds|aucun\nbob|vu|Rounds|\(Self.hostile)"
            )
            #expect(try await browser.run("return location.hash").contains("since=2023-11-14T22%3A20%3A00"))
            try await browser.visit("\(Self.address)?language=es&since=2030-01-01T00:00:00Z", ".report[lang=es]")
            #expect(try await browser.text(of: ".report").contains("Nadie abrió este expediente en este periodo."))
        }
    }

    @Test("all languages have the same words with the same places for values")
    func catalog() async throws {
        let (server, _) = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            let odd = try await browser.run(
                """
                const { catalog, speaker, preferred } = await import('/console/report/report-words.js')
                const places = (words) => [words].flatMap((one) => typeof one === 'string' ? [one] : [one.one, one.other]).map((text) => (text.match(/\\{\\w+\\}/g) ?? []).sort().join())
                const odd = []
                for (const [code, words] of Object.entries(catalog)) {
                  for (const key of new Set([...Object.keys(words), ...Object.keys(catalog.en)])) {
                    if (!(key in words) || !(key in catalog.en)) odd.push(`${code}.${key} is missing`)
                    else if (JSON.stringify(places(words[key])) !== JSON.stringify(places(catalog.en[key])) && key !== 'seen') odd.push(`${code}.${key} has other places`)
                    if (words[key] && words[key] === catalog.en[key] && code !== 'en' && key !== 'none') odd.push(`${code}.${key} is English`)
                  }
                }
                odd.push(preferred(['pt-BR', 'de-AT', 'en']), preferred([]), speaker('fr')('visits', { n: 0 }), speaker('de')('visits', { n: 1234 }))
                return odd.join('; ')
                """
            )
            #expect(odd == "de; en; 0 visite; 1.234 Besuche")
        }
    }

    @Test("the browser checks each proof, and says when a list and a proven event disagree")
    func proofs() async throws {
        let (server, _) = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.visit("\(Self.address)?language=en", ".report")
            // The server has enough of questions for a moment.
            try await browser.run(
                """
                const real = window.fetch
                let refused = 0
                window.fetch = (path, options) => String(path).includes('/events/') && refused++ < 3
                  ? Promise.resolve(new Response('{"message":"too many"}', { status: 429 })) : real(path, options)
                """
            )
            try await browser.run("document.querySelector('#report-check').click()")
            #expect(
                try await browser.text(of: ".proofs:not(:empty)") == "Proof: 5 entries are as the devices signed them."
            )
            // A server whose index tells another person than the event does.
            try await browser.run(
                """
                const real = window.fetch
                window.fetch = async (path, options) => {
                  const answer = await real(path, options)
                  if (!String(path).includes('/api/v1/search?')) return answer
                  const body = await answer.json()
                  for (const line of body.events) if (line.metadata.userId === 'bob') line.metadata.userId = 'eve'
                  return new Response(JSON.stringify(body), { status: 200 })
                }
                """
            )
            try await browser.visit("\(Self.address)?language=en&staff=hidden", ".report")
            try await browser.run("document.querySelector('#report-check').click()")
            let told = try await browser.text(of: ".proofs:not(:empty)")
            #expect(told == "Proof: 1 entry does not match what was signed. 4 entries are as the devices signed them.")
        }
    }

    @Test("on paper there is no menu, no form and no button, on this page and on every other one")
    func paper() async throws {
        let (server, device) = try await Self.server()
        try await server.open(as: .reviewer) { [device] browser, _ in
            let pages = [
                (Self.address, ".report"), ("#/search", ".results tbody tr"),
                ("#/object/Patient/p1", ".subject .results tbody tr"),
                ("#/event/\(device.partition.value)/1", ".proof.proven"), ("#/timeline?person=ada", ".shown .badge"),
                ("#/completeness", ".figures"), ("#/reviews", "h1"), ("#/exports", "h1"),
            ]
            for (address, selector) in pages {
                try await browser.visit(address, selector)
                try await browser.showPrinted(true)
                let seen = try await browser.run(
                    "return [...document.querySelectorAll('.bar, nav, form, button, dialog')].filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80)).join()"
                )
                #expect(seen == "", "\(address)")
                let dark = try await browser.run("return getComputedStyle(document.body).backgroundColor")
                #expect(dark == "rgb(255, 255, 255)")
                try await browser.showPrinted(false)
            }
            try await browser.visit(Self.address, ".report")
            // A sheet of paper is as narrow as a telephone is wide, and has a table all the same.
            try await browser.resize(700, 900, isDark: true)
            try await browser.showPrinted(true)
            let head = try await browser.run("return getComputedStyle(document.querySelector('.visits thead')).display")
            #expect(head == "table-header-group")
            try await browser.showPrinted(false)
            let document = try await browser.printed()
            #expect(document.starts(with: Array("%PDF-".utf8)))
            #expect(document.count > 5_000)
        }
    }

    @Test("an address without a record says how to come to one, and an administrator is not let in")
    func nowhere() async throws {
        let (server, _) = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.visit("#/report", ".problem")
            #expect(try await browser.text(of: ".problem").contains("Open the page of an object"))
        }
        try await server.open(as: .administrator) { browser, _ in
            try await browser.visit(Self.address, ".problem")
        }
    }
}
