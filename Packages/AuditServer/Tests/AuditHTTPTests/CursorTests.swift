import AuditServerTesting
import EventModel
import EventModelTesting
import EventProofs
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AuditHTTP
@testable import AuditModel
@testable import AuditSearch
@testable import SQLiteStore

@Suite("Cursors")
struct CursorTests {
    private struct News: Decodable {
        struct Line: Decodable {
            let partition: String
            let sequence: UInt64
            let cursor: String?
        }

        let events: [Line]
        let last: String
        let isMore: Bool
        let beginsAnew: Bool
    }

    private struct Device: Decodable {
        let user: String
    }

    private struct Found: Decodable {
        let events: [News.Line]
        let after: String?
    }

    private static func device(_ number: UInt32, _ count: Int) -> SampleDevice {
        var device = SampleDevice(number)
        device.record((1...count).map { "Rounds \($0)" })
        return device
    }

    /// A server whose index is told of an upload to it.
    private static func store(_ server: TestServer, _ upload: EventUpload) async throws {
        _ = try await server.store.accept(upload)
        server.index.didStore(upload.partition)
    }

    private static func trail(_ server: TestServer) async throws -> [String] {
        try await server.store.events(EventFilter(app: TrailEvent.app), after: nil, limit: 1000, maximumBytes: .max)
            .events.compactMap { $0.event?.activity }
    }

    // MARK: - What they tell

    @Test("a place opens with the key of its server and for its route alone, and looks like another one each time")
    func sealing() throws {
        let seal = CursorSeal(try SigningKey(SigningKey.makeKey()))
        let text = try seal.text([1, 2, 3], for: "search")

        #expect(seal.bytes(text, for: "search") == [1, 2, 3])
        #expect(try seal.text([1, 2, 3], for: "search") != text)
        #expect(seal.bytes(text, for: "events") == nil)
        #expect(try CursorSeal(SigningKey(SigningKey.makeKey())).bytes(text, for: "search") == nil)
        for other in ["", "00", "zz", String(text.dropLast(2)), text + "00", "1.2", "12"] {
            #expect(seal.bytes(other, for: "search") == nil, "\(other)")
        }
    }

    @Test("whoever may read some apps learns nothing from cursors of what arrives in others, however much that is")
    func boundedFollower() async throws {
        let server = try await TestServer(index: SearchIndex())
        let auditor = try await server.headers(.auditor(apps: ["ward-app"]))
        let device = Self.device(1, 2)
        try await Self.store(server, device.upload(1...1))

        try await server.run { client in
            var own = device
            func news(_ last: String?) async throws -> News {
                let query = last.map { "?last=\($0)" } ?? ""
                return try await client.get("/api/v1/search/new\(query)", as: auditor).decoded()
            }
            let start = try await news(nil)
            for number in UInt32(2)...5 {
                let upload = try Self.device(number, 700).upload(1...700, owner: EventOwner(app: "lab", user: "1"))
                try await Self.store(server, upload)
            }
            let quiet = try await news(start.last)
            #expect(quiet.events.isEmpty && !quiet.isMore && !quiet.beginsAnew)
            #expect(quiet.last.utf8.count == start.last.utf8.count)
            own.record(["later"])
            try await Self.store(server, own.upload(2...3))
            let found = try await news(quiet.last)
            #expect(found.events.map(\.sequence) == [2, 3])
            #expect(found.events.allSatisfy { $0.cursor == nil })
            #expect(Int64(found.last) == nil)
        }
    }

    @Test("pages of devices' keys are full for whoever may see some of them alone, and name no number of others")
    func boundedDevices() async throws {
        let server = try await TestServer()
        for number in UInt32(1)...9 {
            let device = Self.device(number, 1)
            let owner = EventOwner(app: number.isMultiple(of: 4) ? "ward-app" : "lab", user: "\(number)")
            _ = try await server.store.accept(device.upload(1...1, owner: owner, seal: device.seal(of: owner)))
        }
        let auditor = try await server.headers(.auditor(apps: ["ward-app"]))

        try await server.run { client in
            let first = try await client.get("/api/v1/devices?limit=1", as: auditor)
            let cursor = try #require(first.nextCursor)
            let second = try await client.get("/api/v1/devices?limit=1&after=\(cursor)", as: auditor)
            let last = try #require(second.nextCursor)
            let end = try await client.get("/api/v1/devices?limit=1&after=\(last)", as: auditor)
            let users = try [first, second, end].map { try $0.lines(Device.self).map(\.user) }
            #expect(users == [["4"], ["8"], []])
            #expect(end.nextCursor == nil)
            #expect(UInt64(cursor) == nil && cursor.utf8.count == last.utf8.count)
        }
    }

    // MARK: - What they hide

    @Test("a place that somebody makes up opens no page, on no route")
    func madeUp() async throws {
        let server = try await TestServer()
        let device = Self.device(1, 3)
        _ = try await server.store.accept(device.upload(1...3))
        let auditor = try await server.headers(.auditor)
        let place = EventCursor(partition: device.partition, sequence: 0).text
        let paths = [
            "search?after=9.9", "search?before=0.0", "timeline?after=0.0", "events?after=\(place)",
            "partitions?after=\(place)", "events/new?after=0", "search/new?last=0", "devices?after=0",
            "partitions/\(device.partition)/leaves?after=\(place)",
        ]

        try await server.run { client in
            for path in paths {
                let refused = try await client.get("/api/v1/\(path)", as: auditor)
                #expect(refused.status == .badRequest, "\(path)")
                #expect(try refused.decoded(Refusal.self).message.contains("begin anew"), "\(path)")
            }
        }
        #expect(try await Self.trail(server) == [])
    }

    @Test("a page is not recorded again when it is one of the same listing in the same hand, and in every other case")
    func records() async throws {
        let server = try await TestServer()
        let device = Self.device(1, 9)
        _ = try await server.store.accept(device.upload(1...9))
        let (auditor, other) = (try await server.headers(.auditor), try await server.headers(.reviewer))
        let leaves = "partitions/\(device.partition)/leaves"

        try await server.run { client in
            func page(_ path: String, _ headers: HTTPFields) async throws -> String {
                let response = try await client.get("/api/v1/\(path)", as: headers)
                try #require(response.status == .ok)
                if let next = response.nextCursor { return next }
                return try #require(try response.decoded(Found.self).after)
            }
            for (path, question) in [("search", "&person=x"), ("events", "&activity=x"), (leaves, "&x=y")] {
                let before = try await Self.trail(server).count
                let cursor = try await page("\(path)?limit=2", auditor)
                _ = try await page("\(path)?limit=3&after=\(cursor)", auditor)
                #expect(try await Self.trail(server).count == before + 1, "\(path)")
                _ = try await page("\(path)?limit=2&after=\(cursor)", other)
                #expect(try await Self.trail(server).count == before + 2, "\(path)")
                _ = try await client.get("/api/v1/\(path)?after=\(cursor)\(question)", as: auditor)
                #expect(try await Self.trail(server).count == before + 3, "\(path)")
            }
            let before = try await Self.trail(server).count
            _ = try await client.get("/api/v1/\(leaves)?after=1", as: auditor)
            #expect(try await Self.trail(server).count == before + 1, "whoever goes on at a number reads leaves")
        }
    }

    // MARK: - Several servers

    @Test("whoever follows is told once that another server begins anew, and then misses nothing on either")
    func balancer() async throws {
        let one = try await TestServer(index: SearchIndex())
        let two = try one.beside()
        let auditor = try await one.headers(.auditor)
        let device = Self.device(1, 6)

        try await one.run { first in
            try await two.run { second in
                func news(_ client: any TestClientProtocol, _ last: String?) async throws -> News {
                    let query = "?app=ward-app" + (last.map { "&last=\($0)" } ?? "")
                    return try await client.get("/api/v1/search/new\(query)", as: auditor).decoded()
                }
                func arrive(_ sequences: ClosedRange<Int>) async throws {
                    try await Self.store(one, device.upload(sequences))
                    two.index.didStore(device.partition)
                }
                let start = try await news(first, nil)
                try await arrive(1...2)
                let strange = try await news(second, start.last)
                #expect(strange.beginsAnew && strange.events.isEmpty)
                let known = try await news(first, strange.last)
                #expect(!known.beginsAnew && known.events.map(\.sequence) == [1, 2])
                try await arrive(3...4)
                let there = try await news(second, known.last)
                #expect(!there.beginsAnew && there.events.map(\.sequence) == [3, 4])
                let here = try await news(first, there.last)
                #expect(!here.beginsAnew && here.events.map(\.sequence) == [3, 4])
            }
        }
    }

    @Test("an index that was made anew knows no place of the one before, and a page of it begins anew")
    func madeAnew() async throws {
        let server = try await TestServer(index: SearchIndex())
        let device = Self.device(1, 5)
        _ = try await server.store.accept(device.upload(1...5))
        let auditor = try await server.headers(.auditor)

        try await server.run { client in
            let start: News = try await client.get("/api/v1/search/new", as: auditor).decoded()
            let page: Found = try await client.get("/api/v1/search?limit=2", as: auditor).decoded()
            let index = server.index
            try await index.database.write(SearchIndexSchema.reset)
            index.invalidate()

            let news: News = try await client.get("/api/v1/search/new?last=\(start.last)", as: auditor).decoded()
            #expect(news.beginsAnew)
            let cursor = try #require(page.after)
            let refused = try await client.get("/api/v1/search?limit=2&after=\(cursor)", as: auditor)
            #expect(refused.status == .badRequest)
            #expect(try refused.decoded(Refusal.self).message.contains("begin anew"))
        }
    }

    @Test("a position has as many servers as are remembered, the latest of them")
    func positions() throws {
        var position = FollowPosition()
        for generation in UInt64(1)...10 { position.goOn(to: Int64(generation), in: generation) }
        position.goOn(to: 33, in: 3)

        #expect(position.numbers.map(\.generation) == [4, 5, 6, 7, 8, 9, 10, 3])
        #expect(position.last(in: 3) == 33)
        #expect(position.last(in: 1) == nil)
        #expect(FollowPosition(position.bytes[...]) == position)
        #expect(FollowPosition([1, 2, 3][...]) == nil)
        #expect(FollowPosition([UInt8](repeating: 0, count: 8)[...]) == nil)
        #expect(FollowPosition([UInt8](repeating: 0, count: 16 * 9)[...]) == nil)
    }
}
