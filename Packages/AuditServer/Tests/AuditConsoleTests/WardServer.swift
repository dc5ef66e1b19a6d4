import AuditAccounts
import AuditHTTP
import AuditModel
import AuditReview
import AuditServerTesting
import EventModel
import SQLiteStore

/// A server with something on every page of the console: two devices, an alert, a view, a review, a note, holds and an erasure.
struct WardServer: Sendable {
    /// A page of the console, and what is on it when it has what it shows.
    struct Page: Sendable {
        let name: String
        let address: String
        let selector: String
    }

    static let bob = EventOwner(app: "ward-app", user: "0000000000000000000000bb")

    let console: ConsoleServer
    let device: SampleDevice
    /// What stands in every field of every event.
    let text: String

    /// Makes the server; the text stands in every field that takes one.
    init(_ text: String = "Anna Berg") async throws {
        self.text = text
        let rule = AlertRule("named \(text)", .namedRecords([NamedRecord(objectClass: text, key: text)]))
        console = try await ConsoleServer(
            ServerConfiguration(
                apps: [
                    "ward-app": AppSettings(
                        retention: try RetentionRule(days: 3650, events: [ExactText(text): 3650]),
                        labels: ClassLabels([ExactText(text): try LabelTemplate("{_id}")])
                    )
                ],
                alerts: AlertSettings(rules: [rule], personColumn: "userId")
            )
        )
        let quoted = try Browser.quoted(text)
        let metadata = try EventMetadata(["userId": text, "device": text, "note": text])
        let object = "{\"_id\":\(quoted),\(quoted):\(quoted),\"allergies\":[\(quoted)]}"
        let change = "{\"oldValue\":\(object),\"newValue\":{\(quoted):\"other\",\"allergies\":[\(quoted),\"pollen\"]}}"
        var device = SampleDevice()
        device.record(device.event(text, data: "{\"type\":\(quoted),\"value\":[\(object)]}", metadata: metadata))
        let write = "{\(quoted):{\"modifications\":[\(change)],\"insertions\":[\(object)],\"deletions\":[\(object)]}}"
        device.record(device.event(text, event: "write", data: write, metadata: metadata))
        device.record(device.event(text, event: text, data: text, metadata: metadata))
        self.device = device
        // The rules are in force from the start of the server on, which is some time away.
        let later = EventInstant(microseconds: console.clock.now().wall.microseconds + 3_600_000_000)
        _ = try await console.store.accept(
            EventUpload(
                device.stretch(1...3, seal: device.seal()),
                owner: SampleDevice.owner,
                received: later,
                signedBy: SampleDevice.serverKey,
                extendsSchema: true
            )
        )
        var tablet = SampleDevice(2)
        for event in Self.interrupted(text, metadata, quoted) { tablet.record(event) }
        _ = try await console.store.accept(tablet.upload(1...tablet.events.count, owner: Self.bob))
        let act = LegalHold.Act(by: text, at: console.clock.now().wall, reason: text)
        for number in 1...2 {
            _ = try await console.store.placeHold(
                text,
                on: KeepingFilter(person: text, objectClass: text, objectKey: "\(number)"),
                act
            )
        }
        _ = try await console.store.liftHold(2, act)
        let order = ErasureOrder(kind: .request, begun: act, filter: KeepingFilter(activity: "\(text) of another"))
        let erasure = try await console.store.begin(order)
        _ = try await console.store.finish(erasure.number)
    }

    /// A read whose clock was set an hour ahead, and a scope that ended with its process.
    private static func interrupted(_ text: String, _ metadata: EventMetadata, _ quoted: String) -> [AuditEvent] {
        let start: Int64 = 1_700_000_100_000_000
        return [(1, 0, 0, []), (2, 3_700, 100, []), (3, 3_760, 160, AuditEvent.Marks.interrupted)]
            .map { number, second, tick, marks in
                AuditEvent(
                    id: ObjectId(high: 11, low: UInt32(number)),
                    clock: ClockReading(
                        wall: EventInstant(microseconds: start + Int64(second) * 1_000_000),
                        monotonicNanoseconds: UInt64(1000 + tick) * 1_000_000_000,
                        boot: Boot(high: 5, low: 5)
                    ),
                    activity: text,
                    event: "read",
                    data: Array("{\"type\":\(quoted),\"value\":[{\"_id\":\(quoted),\"bed\":\(quoted)}]}".utf8),
                    metadata: metadata,
                    scopeCommitted: nil,
                    marks: marks
                )
            }
    }

    /// Runs the server with a reviewer signed in, who has kept a view, a review, a note and an export of their own.
    func open(_ body: (Browser) async throws -> Void) async throws {
        try await console.open(as: .reviewer) { browser, _ in
            let name = try Browser.quoted(text)
            let post = """
                const ask = async (method, path, body) => {
                  const answer = await fetch(`/api/v1/${path}`, { method, body: body && JSON.stringify(body) })
                  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
                  return answer.json()
                }
                const query = new URLSearchParams({ class: \(name) }).toString().replaceAll('+', '%20')
                """
            try await browser.run(
                """
                \(post)
                const view = await ask('POST', 'views', { name: \(name), query, shared: true })
                await ask('POST', 'reviews', { view: view.id, period: 'daily', zone: 'UTC', who: \(name) })
                await ask('POST', 'notes', { subject: { partition: '\(device.partition.value)', sequence: 2 }, text: \(name) })
                await ask('POST', `exports?${query}`, { formats: ['csv'], reason: \(name) })
                """
            )
            // A review is signed off when there is something behind its start.
            console.clock.shift(by: 86_400)
            // The session that began the day before is over.
            try await browser.beginSession(with: console.tokens.issue(.reviewer, for: .access))
            try await browser.run(
                """
                \(post)
                const [{ id, through }] = await ask('GET', 'reviews')
                await ask('POST', `reviews/${id}/signatures`, { outcome: 'finding', note: \(name), reason: \(name), through })
                """
            )
            try await body(browser)
        }
    }

    /// Every page of a reviewer.
    var pages: [Page] {
        let quoted = text.addingPercentEncoding
        return [
            Page(name: "search", address: "#/search", selector: ".volume .caption"),
            Page(name: "search-nothing", address: "#/search?person=nobody", selector: ".nothing"),
            Page(name: "event-read", address: "#/event/\(device.partition.value)/1", selector: ".proof.proven"),
            Page(name: "event", address: "#/event/\(device.partition.value)/2", selector: ".noted .words"),
            Page(name: "event-custom", address: "#/event/\(device.partition.value)/3", selector: ".proof.proven"),
            Page(name: "object", address: "#/object/\(quoted)/\(quoted)", selector: ".subject .results tbody tr"),
            Page(name: "report", address: "#/report/\(quoted)/\(quoted)", selector: ".visits tbody tr"),
            Page(name: "person", address: "#/person/\(quoted)", selector: ".subject .results tbody tr"),
            Page(name: "person-nobody", address: "#/person/nobody", selector: ".subject .none"),
            Page(name: "timeline", address: "#/timeline?person=\(quoted)", selector: ".shown .badge"),
            Page(name: "timeline-form", address: "#/timeline", selector: ".session-form"),
            Page(
                name: "reconstruct",
                address: "#/reconstruct?class=\(quoted)&key=\(quoted)&person=\(SampleDevice.owner.user)",
                selector: ".reconstruction .badge.proven"
            ), Page(name: "reconstruct-form", address: "#/reconstruct", selector: ".session-form"),
            Page(name: "completeness", address: "#/completeness", selector: ".interrupted tbody tr"),
            Page(name: "views", address: "#/views", selector: ".card"),
            Page(name: "reviews", address: "#/reviews", selector: ".card.review"),
            Page(name: "alerts", address: "#/alerts?state=all", selector: ".card.alert"),
            Page(name: "exports", address: "#/exports", selector: ".job.done"),
            Page(name: "keeping", address: "#/keeping", selector: ".keeping tbody tr"),
            Page(name: "trail", address: "#/trail", selector: ".results tbody tr.audit"),
            Page(name: "nowhere", address: "#/nowhere", selector: ".problem"),
        ]
    }
}

extension String {
    /// The text as a part of an address.
    fileprivate var addingPercentEncoding: String {
        utf8.map { byte in
            let isPlain =
                byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        .joined()
    }
}
