import AuditArchives
import AuditHTTP
import AuditReview
import AuditServerTesting
import EventModel
import EventModelTesting
import Foundation
import Testing

@testable import DaybookCommand

@Suite("Alerts in the configuration file")
struct AlertConfigurationTests {
    private func read(_ alerts: String, in folder: TestFolder? = nil) async throws -> AlertSettings {
        try await ConfigurationFile(
            Data("{ alerts: \(alerts) }".utf8),
            path: folder?.file("serve.json5") ?? "/etc/serve.json5"
        )
        .configuration.alerts
    }

    @Test("without the section there are no rules, and what says that something is wrong is on")
    func defaults() async throws {
        let settings = try await read("{}")

        #expect(settings == AlertSettings())
        #expect(settings.rules.isEmpty)
        #expect(settings.findsGaps && settings.findsLosses && settings.findsOverdueReviews)
        #expect(settings.verifiedEventsPerSecond > 0)
    }

    @Test("every rule is read, in the order of their names")
    func rules() async throws {
        let folder = try TestFolder.made()
        try Data("# known to many\nPatient p1\n\nPatient p2\n".utf8).write(to: URL(filePath: folder.file("vips")))
        let settings = try await read(
            """
            {
              personColumn: "userId", gaps: false, gapMinutes: 5, losses: false, overdueReviews: false,
              verifiedEventsPerSecond: 0,
              rules: {
                "names": { app: "ward-app", namedRecords: { file: "vips" } },
                "glass": { breakGlass: { activity: "Break glass", event: "emergency", metadata: { purpose: "*" } } },
                "many": { massRead: { class: "Patient", limit: 50, minutes: 30, unit: "events" } },
                "nights": { afterHours: { days: ["monday", "sunday"], from: "07:30", to: "19:00", zone: "Europe/Zurich" } },
              },
            }
            """,
            in: folder
        )

        let zone = try #require(TimeZone(identifier: "Europe/Zurich"))
        let hours = WorkingHours(days: [.monday, .sunday], opening: 450, closing: 1140, zone: zone)
        let pattern = EventPattern(activity: "Break glass", event: "emergency", metadata: ["purpose": "*"])
        let records = Set(["p1", "p2"].map { NamedRecord(objectClass: "Patient", key: $0) })
        #expect(
            settings.rules == [
                AlertRule("glass", .breakGlass(pattern)),
                AlertRule("many", .massRead(MassRead(objectClass: "Patient", limit: 50, minutes: 30, unit: .events))),
                AlertRule("names", app: "ward-app", .namedRecords(records)), AlertRule("nights", .afterHours(hours)),
            ]
        )
        #expect(settings.personColumn == "userId" && settings.gapMinutes == 5)
        #expect(!settings.findsGaps && !settings.findsLosses && !settings.findsOverdueReviews)
        #expect(settings.verifiedEventsPerSecond == 0)
    }

    @Test(
        "what is wrong is named by its key",
        arguments: [
            (#"{ gap: true }"#, "alerts.gap"), (#"{ gapMinutes: -1 }"#, "alerts.gapMinutes"),
            (#"{ rules: { a: {} } }"#, "alerts.rules.a"),
            (#"{ rules: { a: { breakGlass: {}, massRead: { limit: 1, minutes: 1 } } } }"#, "alerts.rules.a"),
            (#"{ rules: { a: { massRead: { limit: 0, minutes: 1 } } } }"#, "alerts.rules.a.massRead.limit"),
            (#"{ rules: { a: { massRead: { limit: 1, minutes: 1, unit: "x" } } } }"#, "alerts.rules.a.massRead.unit"),
            (#"{ rules: { a: { afterHours: { from: "7", to: "19:00", zone: "UTC" } } } }"#, "a.afterHours.from"),
            (#"{ rules: { a: { afterHours: { from: "07:00", to: "24:00", zone: "UTC" } } } }"#, "a.afterHours.to"),
            (#"{ rules: { a: { afterHours: { from: "07:00", to: "19:00", zone: "Mars" } } } }"#, "a.afterHours.zone"),
            (
                #"{ rules: { a: { afterHours: { days: ["may"], from: "07:00", to: "19:00", zone: "UTC" } } } }"#,
                "a.afterHours.days"
            ),
        ]
    )
    func malformed(alerts: String, key: String) async throws {
        do {
            _ = try await read(alerts)
            Issue.record("It is accepted.")
        } catch {
            #expect("\(error)".contains(key), "\(error)")
        }
    }

    @Test("a list of records that is missing is named, and one that is malformed by its line alone")
    func records() async throws {
        let folder = try TestFolder.made()
        let rule = #"{ rules: { a: { namedRecords: { file: "vips" } } } }"#
        await #expect(throws: CommandError.self) { _ = try await read(rule, in: folder) }
        try Data("Patient p1\nPatient\n".utf8).write(to: URL(filePath: folder.file("vips")))
        do {
            _ = try await read(rule, in: folder)
            Issue.record("It is accepted.")
        } catch {
            #expect("\(error)".contains("2") && !"\(error)".contains("p1"))
        }
    }
}
