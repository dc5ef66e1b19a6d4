import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import SQLiteStore
import Testing

@Suite("Counts of the console", .enabled(if: Browser.isInstalled, Browser.skipped))
struct TrueCountTests {
    /// Notes everything that the place of the volume ever says.
    private static let watch = """
        window.said = []
        new MutationObserver(() => {
          const place = document.querySelector('.volume-place')
          if (place && place.innerText) window.said.push(place.innerText)
        }).observe(document.querySelector('#page'), { subtree: true, childList: true, characterData: true })
        """

    /// Events of which some say "fever", and an object whose key another class has, too.
    private static func server() async throws -> ConsoleServer {
        let server = try await ConsoleServer()
        var device = SampleDevice()
        for number in 1...600 {
            let note = number.isMultiple(of: 2) ? "fever" : "well"
            let kind = number.isMultiple(of: 3) ? "Patient" : "Visit"
            let data = #"{"type":"\#(kind)","value":[{"_id":"17","note":"\#(note)"}]}"#
            device.record(device.event("Rounds", data: data, metadata: try EventMetadata(["userId": "n\(number % 4)"])))
        }
        _ = try await server.store.accept(device.upload(1...600))
        return server
    }

    @Test(
        "nothing is drawn of a text before each event was compared with it, and the number is then exact",
        arguments: [("text=fever", "300 events"), ("text=fever&class=Patient&order=oldest", "100 events")]
    )
    func texts(query: String, number: String) async throws {
        let server = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            _ = try await browser.text(of: ".volume .caption")
            try await browser.run(Self.watch)
            try await browser.visit("#/search?\(query)", ".chips")
            #expect(try await browser.text(of: ".volume .caption").hasPrefix("\(number) ·"))
            let said = try await browser.run("return window.said.join('|')")
            #expect(said.contains("Counting…"))
            #expect(!said.contains("about") && !said.contains("600 events"))
            // A page in the middle counts in both directions.
            try await browser.run(
                "[...document.querySelectorAll('.pager button')].find((one) => one.textContent === 'Next').click()"
            )
            _ = try await browser.text(of: ".pager button:nth-child(2)")
            #expect(try await browser.text(of: ".volume .caption").hasPrefix("\(number) ·"))
        }
    }

    @Test("where nothing fits, nothing is drawn")
    func nothing() async throws {
        let server = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            _ = try await browser.text(of: ".volume .caption")
            try await browser.run(Self.watch)
            try await browser.visit("#/search?text=nowhere", ".nothing")
            #expect(try await browser.text(of: ".volume-place:not([aria-busy])") == "No events in this time.")
            let said = try await browser.run("return window.said.join('|')")
            #expect(!said.contains("600") && !said.contains("about"))
        }
    }

    @Test("the numbers of an object are its own, not those of another class with its key")
    func sharedKey() async throws {
        let server = try await Self.server()
        try await server.open(as: .auditor) { browser, _ in
            try await browser.visit("#/object/Patient/17", ".subject .tallies")
            let figures = try await browser.text(of: ".subject .figures")
            #expect(figures.contains("200\nevents") && figures.contains("200\nreads"))
            let people = try await browser.run(
                "return [...document.querySelectorAll('.part:first-child .tallies .amount:nth-of-type(1)')].map((one) => one.textContent).join('+')"
            )
            #expect(people.hasSuffix("50+50+50+50"))
        }
    }

    @Test("counting pauses when very many events have to be read, and goes on when somebody wants to know")
    func pause() async throws {
        let server = try await ConsoleServer()
        var device = SampleDevice()
        for _ in 1...2300 { device.record(device.event("Rounds", data: #"{"note":"fever"}"#)) }
        _ = try await server.store.accept(device.upload(1...2300))
        try await server.open(as: .auditor) { browser, _ in
            // Each request enters 500 events in the index.
            try await browser.run("for (let turn = 0; turn < 6; turn++) await fetch('/api/v1/search')")
            try await browser.visit("#/search?text=fever", "#count-on")
            let paused = try await browser.text(of: ".volume-place")
            #expect(paused.contains("At least 2,0") && paused.contains("counting pauses here"))
            #expect(try await browser.run("return document.querySelectorAll('.histogram').length") == "0")
            try await browser.run("document.querySelector('#count-on').click()")
            #expect(try await browser.text(of: ".volume .caption").hasPrefix("2,300 events ·"))
        }
    }
}
