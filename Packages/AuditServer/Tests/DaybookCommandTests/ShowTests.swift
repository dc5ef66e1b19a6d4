import AuditAccounts
import AuditArchives
import AuditHTTP
import AuditModel
import AuditServerTesting
import EventModel
import EventModelTesting
import EventPartitions
import EventProofs
import Foundation
import SQLiteStore
import Testing

@testable import DaybookCommand

@Suite("Showing one event")
struct ShowTests {
    private static let write = """
        {"Patient":{"deletions":[{"_id":"p3","name":"Eve"}],"insertions":[{"_id":"p2","name":"Bob"}],"modifications":\
        [{"newValue":{"room":"14"},"oldValue":{"_id":"p1","name":"Ada","room":"12"}}]}}
        """

    private func shown(
        _ type: String?,
        _ data: String?,
        activity: String = "Rounds",
        metadata: [String: String] = [:],
        isSealed: Bool = true
    ) throws -> ShownEvent {
        var device = SampleDevice()
        device.record(device.event(activity, event: type, data: data, metadata: try EventMetadata(metadata)))
        let stored = StoredEvent(
            partition: device.partition,
            sequence: 1,
            owner: SampleDevice.owner,
            event: device.events[0],
            leaf: nil,
            received: SampleDevice.received
        )
        return ShownEvent(
            event: EventLine(stored),
            objects: EventObject.all(in: device.events[0]),
            outcome: stored.outcome,
            proof: EventProof(
                partition: device.partition,
                sequence: 1,
                event: device.events[0].encoded,
                inclusion: InclusionProof(index: 0, count: 1, path: []),
                root: device.frontier(through: 1).root,
                seal: isSealed ? try device.seal() : nil
            )
        )
    }

    private func text(_ shown: ShownEvent, _ style: TerminalStyle = .plain) -> String {
        EventSheet(style: style).text(of: shown)
    }

    @Test("a search that found nothing has its class, condition and order")
    func emptySearch() throws {
        let data =
            #"{"type":"Patient","value":[],"where":{"predicate":"name == 'Ann'","sort":"#
            + #"[{"ascending":false,"keyPath":"age"}]}}"#
        let text = text(try shown("read", data))

        #expect(text.contains("outcome") && text.contains("nothing found by the search"))
        #expect(
            text.contains(
                """
                Searched, and found nothing: Patient
                  where  name == 'Ann'
                  by     age, descending
                """
            )
        )
    }

    @Test("a write has old and new values one below the other, and what did not change beside them")
    func writes() throws {
        let text = text(try shown("write", Self.write, metadata: ["userId": "nurse1"]))

        #expect(
            text.contains(
                """
                Written: 3 changes
                  Patient p2 inserted
                    + _id   "p2"
                    + name  "Bob"
                  Patient p3 deleted
                    - _id   "p3"
                    - name  "Eve"
                  Patient p1 modified
                      _id  "p1"
                      name  "Ada"
                    - room  "12"
                    + room  "14"

                """
            )
        )
        #expect(text.hasPrefix("Rounds · write\ntime       2023-11-14T22:13:20.000001Z by the device's clock\n"))
        #expect(text.contains("userId     nurse1\n"))
        #expect(text.contains("place      ward-000000000000000700000001/1\n"))
        #expect(text.contains("proof      proven: unchanged since the device "))
    }

    @Test("a read has its objects, and any other payload is laid out or shown as text")
    func reads() throws {
        let read = text(
            try shown("read", #"{"type":"Patient","value":[{"name":"Ada","_id":7,"tags":["a",null,1.5,true]}]}"#)
        )
        #expect(read.contains("Shown: 1 object of Patient\n  Patient 7\n    _id   7\n    name  \"Ada\"\n"))
        #expect(read.contains("    tags  [\"a\", null, 1.5, true]\n"))
        #expect(text(try shown("button", #"{"b":1,"a":{"c":[]}}"#)).contains("Content:\n  a  {c: []}\n  b  1\n"))
        #expect(text(try shown(nil, "plain\ntext")).contains("Content:\n  plain\n  text\n"))
        #expect(text(try shown(nil, nil)).contains("No content.\n"))
        for odd in ["read", "write"] {
            for data in [
                "[1,2]", "7", "{}", #"{"type":1,"value":2}"#, #"{"Patient":{"modifications":[1,{}]}}"#, "{", "",
            ] {
                #expect(!text(try shown(odd, data)).isEmpty)
            }
        }
    }

    @Test(
        "text of an event never reaches the terminal as anything but text",
        arguments: ["\u{1B}[31mred", "a\u{7}b", "line\u{2028}feed", "\u{202E}reversed", "tab\there", "\u{9B}2J"]
    )
    func hostile(text hostile: String) throws {
        let data = #"{"Pa\#u{0}t":{"insertions":[{"_id":"x"}]}}"#
        for payload in [hostile, "{\"type\":\"\(hostile)\",\"value\":[{\"\(hostile)\":\"\(hostile)\"}]}", data] {
            let text = text(try shown("read", payload, activity: hostile, metadata: ["userId": hostile]))
            let forbidden = text.unicodeScalars.filter { $0 != "\n" && ($0.value < 0x20 || $0.value == 0x7F) }
            #expect(forbidden.isEmpty)
            #expect(!text.contains("\u{202E}") && !text.contains("\u{2028}") && !text.contains("\u{9B}"))
        }
    }

    @Test("colours mark old and new on terminals that have them, and nothing else changes")
    func colors() throws {
        let shown = try shown("write", Self.write)
        let colored = text(shown, TerminalStyle(isColored: true, width: 120))

        #expect(colored.contains("\u{1B}[31m    - room  \"12\"\u{1B}[0m\n"))
        #expect(colored.contains("\u{1B}[32m    + room  \"14\"\u{1B}[0m\n"))
        let bare = try colored.replacing(Regex("\u{1B}\\[[0-9]+m"), with: "")
        #expect(bare == text(shown))
    }

    @Test(
        "a style follows the terminal, and NO_COLOR",
        arguments: [
            (["TERM": "xterm"], 100, true, 100), (["NO_COLOR": "1"], 100, false, 100),
            (["NO_COLOR": ""], 100, true, 100),
            (["TERM": "dumb"], nil, false, 120), (["COLUMNS": "90"], nil, true, 90), ([:], 5, true, 60),
        ] as [([String: String], Int?, Bool, Int)]
    )
    func style(environment: [String: String], columns: Int?, isColored: Bool, width: Int) {
        let style = TerminalStyle(environment: environment, columns: columns)

        #expect(style.isColored == isColored)
        #expect(style.width == width)
    }

    // MARK: - Proofs

    @Test("what is shown is held against its proof")
    func verdicts() throws {
        let proven = try shown("write", Self.write)
        let other = try shown("write", Self.write, activity: "Rounds!")
        func verdict(_ event: EventLine, _ proof: EventProof?, _ problem: String? = nil) -> ShownEvent.Verdict {
            ShownEvent(event: event, objects: [], outcome: .complete, proof: proof, problem: problem).verdict
        }

        #expect(proven.verdict == .proven)
        #expect(try shown("write", Self.write, isSealed: false).verdict == .held)
        #expect(verdict(proven.event, other.proof) == .broken)
        #expect(verdict(proven.event, nil) == .unchecked)
        #expect(verdict(proven.event, nil, "The file is damaged.") == .broken)
        let proof = try #require(proven.proof)
        var bytes = proof.event
        bytes[bytes.count / 2] ^= 1
        let forged = EventProof(
            partition: proof.partition,
            sequence: 1,
            event: bytes,
            inclusion: proof.inclusion,
            root: proof.root,
            seal: proof.seal
        )
        #expect(verdict(proven.event, forged) == .broken)
        #expect(
            text(ShownEvent(event: proven.event, objects: [], outcome: .complete, proof: forged)).contains("BROKEN")
        )
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(proven)) as? [String: Any]
        #expect(json?["verdict"] as? String == "proven")
        #expect((json?["event"] as? [String: Any])?["activity"] as? String == "Rounds")
    }

    // MARK: - Sources

    @Test("an event of files is found by its id and by its place, with its proof")
    func files() async throws {
        let folder = try TestFolder.made()
        let place = try EventFolder(root: folder.path, appID: "local", userID: "local", prefix: "ward")
        let files = try PartitionedEventFiles(place)
        var device = SampleDevice()
        device.record(["a", "b"])
        _ = try files.append(device.events)
        let archive = try FileEventArchive(folder.path, workingDirectory: "/")
        let partition = try #require(try await archive.partitions().first).partition
        let id = device.events[0].id

        let byId = try await archive.event(.id(id))
        let byPlace = try await archive.event(.place(try PartitionID(partition), 1))

        #expect(byId.event == byPlace.event)
        #expect(byId.verdict == .held)
        await #expect(throws: CommandError.missingEvent("\(partition)/3")) {
            try await archive.event(.place(PartitionID(partition), 3))
        }
        try files.close()
        #expect(try await archive.event(.id(id)).verdict == .proven)
        let path = try #require(try PartitionFiles.find(below: folder.path).first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count - 60] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try await archive.event(.id(id)).verdict == .broken)
    }

    @Test("an event of a server is found by its id and by its place, and a change of it breaks the proof")
    func server() async throws {
        let folder = try TestFolder.made()
        let store = try SQLiteEventStore(path: folder.file("db"))
        var device = SampleDevice(prefix: "ward 5 \u{E9}%&+")
        device.record(["a", "b", "c"])
        _ = try await store.accept(device.upload(1...3, seal: device.seal()))
        let tokens = try await TokenIssuer(key: TokenIssuer.makeKey(), clock: SystemClock())
        let token = try await tokens.issue(.auditor, for: .access)
        let service = AuditService(
            configuration: ServerConfiguration(),
            store: store,
            index: try SearchIndex(),
            accounts: InMemoryAccountStore(),
            tokens: tokens,
            key: SampleDevice.serverKey
        )
        let (partition, id) = (device.partition, device.events[1].id)

        try await RunningServer.with(service) { port in
            let archive = RemoteEventArchive(try RemoteServer("http://127.0.0.1:\(port)", token: token))
            let byId = try await archive.event(.id(id))
            let byPlace = try await archive.event(.place(partition, 2))
            #expect(byId.event == byPlace.event)
            #expect(byId.event.activity == "b")
            #expect(byId.verdict == .proven)
            for missing in [EventReference.id(ObjectId(high: 9, low: 9)), .place(partition, 4)] {
                await #expect(throws: CommandError.missingEvent("\(missing)")) { try await archive.event(missing) }
            }
        }
    }

    @Test(
        "an event is named by its id or by its place",
        arguments: [
            ("000000000000000700000001", true), ("ward-000000000000000700000001/12", true),
            ("a b-000000000000000700000001/1", true), ("ward-000000000000000700000001/0", false),
            ("ward-000000000000000700000001/x", false), ("ward-000000000000000700000001", false), ("12", false),
            ("", false),
            ("/", false), ("ward/1", false), ("'; DROP TABLE AuditEvent; --", false),
        ]
    )
    func references(text: String, isValid: Bool) {
        let reference = EventReference(argument: text)

        #expect((reference != nil) == isValid)
        if let reference { #expect("\(reference)" == text) }
    }
}
