import Dispatch
import Foundation
import ObjectStore
import ObjectStoreTesting
import Testing

// A chat: a store as an actor, messages from the network on queues, view models that are told what changed.

private enum ChatKind: String, PersistableEnum {
    case text, image, system
}

private class ChatUser: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var name: String
    @Persisted(originProperty: "members") var rooms: LinkingObjects<ChatRoom>
}

private class ChatMessage: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var sender: ChatUser?
    @Persisted var kind: ChatKind
    @Persisted(indexed: true) var sentAt: Date
    @Persisted var text: String
    @Persisted var reactions: Map<String, Int>
    @Persisted var payload: AnyRealmValue
    @Persisted var readBy: MutableSet<ChatUser>
    @Persisted var replyTo: ChatMessage?
    @Persisted(originProperty: "messages") var room: LinkingObjects<ChatRoom>
}

private class ChatRoom: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var members: MutableSet<ChatUser>
    @Persisted var messages: List<ChatMessage>
    @Persisted var unread = 0
}

/// What of a message leaves the actor.
private struct ChatLine: Sendable, Equatable {
    let sender: String
    let text: String
}

private actor ChatStore {
    // The initializer opens the realm before it ends.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    private var realm: Realm!

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }

    func open(_ room: String, with names: [String]) async throws {
        try await realm.asyncWrite {
            let room = realm.create(ChatRoom.self, value: ["name": room], update: .modified)
            for name in names { room.members.insert(realm.create(ChatUser.self, value: ["name": name])) }
        }
    }

    func say(_ text: String, as name: String, in roomName: String) async throws {
        try await realm.asyncWrite {
            guard let room = realm.object(ofType: ChatRoom.self, forPrimaryKey: roomName) else { return }
            let message = ChatMessage()
            message.id = "\(roomName)-\(room.messages.count)"
            message.sender = room.members.first { $0.name == name }
            message.text = text
            message.sentAt = Date(timeIntervalSince1970: Double(room.messages.count))
            room.messages.append(message)
            room.unread += 1
        }
    }

    func lines(of room: String) -> [ChatLine] {
        let messages = realm.object(ofType: ChatRoom.self, forPrimaryKey: room)?.messages
        return messages?.map { ChatLine(sender: $0.sender?.name ?? "?", text: $0.text) } ?? []
    }

    func fail(in room: String) async throws {
        struct Offline: Error {}
        try await realm.asyncWrite {
            realm.object(ofType: ChatRoom.self, forPrimaryKey: room)?.messages.removeAll()
            throw Offline()
        }
    }

    func roomsOf(_ name: String) -> [String] {
        realm.objects(ChatUser.self).where { $0.name == name }.first?.rooms.map(\.name).sorted() ?? []
    }
}

/// An actor that has no realm yet when it opens one.
private actor ChatTooEarly {
    private let realm: Realm

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }

    var isEmpty: Bool { realm.isEmpty }
}

@Suite("Program: a chat")
struct ChatProgramTests {
    private let file: TemporaryRealm

    init() throws { file = try TemporaryRealm([ChatUser.self, ChatMessage.self, ChatRoom.self]) }

    private func message(_ id: Int) -> [String: Any] { ["id": "m\(id)", "text": "Message \(id)", "kind": "text"] }

    @Test("an actor opens rooms, says things and returns values that leave it")
    func store() async throws {
        let store = try await ChatStore(file.configuration)
        try await store.open("cats", with: ["Ada", "Bob"])
        try await store.say("meow", as: "Ada", in: "cats")
        try await store.say("purr", as: "Bob", in: "cats")
        await #expect(throws: (any Error).self) { try await store.fail(in: "cats") }

        let lines = await store.lines(of: "cats")
        #expect(lines == [ChatLine(sender: "Ada", text: "meow"), ChatLine(sender: "Bob", text: "purr")])
        #expect(await store.roomsOf("Bob") == ["cats"])
    }

    @Test("an actor that opens its realm before it is complete is told so")
    func tooEarly() async throws {
        let error = await #expect(throws: Realm.Error.self) { _ = try await ChatTooEarly(file.configuration).isEmpty }
        #expect(error?.code == .invalidInput)
    }

    @Test("two actors write to the same room at once, and no message is lost")
    func twoStores() async throws {
        let first = try await ChatStore(file.configuration)
        let second = try await ChatStore(file.configuration)
        try await first.open("cats", with: ["Ada", "Bob"])

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { try await first.say("\(number)", as: "Ada", in: "cats") }
                group.addTask { try await second.say("\(number)", as: "Bob", in: "cats") }
            }
            try await group.waitForAll()
        }

        #expect(await first.lines(of: "cats").count == 40)
        #expect(await second.lines(of: "cats").filter { $0.sender == "Bob" }.count == 20)
    }

    @MainActor
    @Test("the main actor opens its realm, writes without blocking, and sees what background queues wrote")
    func mainActor() async throws {
        let realm = try await Realm(configuration: file.configuration)
        try await realm.asyncWrite { _ = realm.create(ChatRoom.self, value: ["name": "dogs"]) }
        let configuration = file.configuration
        let message = self.message(1)["text"] as? String ?? ""

        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global()
                .async {
                    autoreleasepool {
                        do {
                            let realm = try Realm(configuration: configuration)
                            let room = realm.object(ofType: ChatRoom.self, forPrimaryKey: "dogs")
                            try realm.write {
                                room?.messages.append(ChatMessage(value: ["id": "m1", "text": message]))
                            }
                        } catch { Issue.record(error) }
                    }
                    continuation.resume()
                }
        }
        await realm.asyncRefresh()

        #expect(realm.object(ofType: ChatRoom.self, forPrimaryKey: "dogs")?.messages.first?.text == "Message 1")
    }

    @Test("eight queues write messages at once, and each finds its own and all others")
    func queues() throws {
        let configuration = file.configuration
        try Realm(configuration: configuration)
            .write { realm in
                _ = realm.create(ChatRoom.self, value: ["name": "busy"])
            }

        DispatchQueue.concurrentPerform(iterations: 8) { index in
            do {
                let realm = try Realm(configuration: configuration)
                let room = try #require(realm.object(ofType: ChatRoom.self, forPrimaryKey: "busy"))
                for number in 0..<5 {
                    try realm.write {
                        let message = realm.create(ChatMessage.self, value: ["id": "\(index)-\(number)"])
                        room.messages.append(message)
                        room.unread += 1
                    }
                }
                #expect(room.messages.filter("id BEGINSWITH %@", "\(index)-").count == 5)
            } catch { Issue.record(error) }
        }

        let realm = try Realm(configuration: configuration)
        realm.refresh()
        let room = try #require(realm.objects(ChatRoom.self).first)
        #expect(room.unread == 40)
        #expect(Set(room.messages.map(\.id)).count == 40)
    }

    @Test("what a message carries is of any type, and a switch finds out which")
    func payload() throws {
        let realm = try file.open()
        let ada = ChatUser(value: ["name": "Ada"])
        let values: [AnyRealmValue] = [
            .none, .int(7), .bool(true), .string("é"), .double(.infinity), .object(ada), .uuid(ada.id),
            .fromDictionary(["width": .int(640), "tags": .fromArray([.string("cat"), .none])]),
        ]
        try realm.write {
            for (index, value) in values.enumerated() {
                let message = realm.create(ChatMessage.self, value: self.message(index))
                message.payload = value
            }
        }

        var kinds: [String] = []
        for message in realm.objects(ChatMessage.self).sorted(byKeyPath: "id") {
            switch message.payload {
            case .none: kinds.append("none")
            case .int(let number): kinds.append("int \(number)")
            case .bool(let flag): kinds.append("bool \(flag)")
            case .string(let text): kinds.append("string \(text)")
            case .double(let number): kinds.append("double \(number)")
            case .object(let object): kinds.append("object \((object as? ChatUser)?.name ?? "?")")
            case .uuid(let id): kinds.append(id == ada.id ? "id" : "other id")
            case .dictionary(let entries): kinds.append("\(entries["width"]?.intValue ?? 0)")
            default: kinds.append("other")
            }
        }
        #expect(kinds == ["none", "int 7", "bool true", "string é", "double inf", "object Ada", "id", "640"])
        #expect(realm.objects(ChatMessage.self).where { $0.payload == .string("é") }.count == 1)
        #expect(realm.objects(ChatMessage.self).filter("payload == 7").first?.id == "m1")
        let nested = realm.object(ofType: ChatMessage.self, forPrimaryKey: "m7")?.payload.dictionaryValue?["tags"]
        #expect(nested?.listValue?.first?.stringValue == "cat")
    }

    @Test("sets of users are compared, joined and cut like sets")
    func sets() throws {
        let realm = try file.open()
        let users = ["Ada", "Bob", "Cy"].map { ChatUser(value: ["name": $0]) }
        let first = ChatRoom(value: ["name": "first"])
        let second = ChatRoom(value: ["name": "second"])
        try realm.write {
            realm.add([first, second])
            first.members.insert(objectsIn: users)
            second.members.insert(objectsIn: [users[0], users[0]])
        }
        #expect(second.members.isSubset(of: first.members))
        #expect(second.members.count == 1)
        #expect(first.members.intersects(second.members))
        #expect(users[0].rooms.count == 2)

        try realm.write { first.members.subtract(second.members) }
        #expect(Set(first.members.map(\.name)) == ["Bob", "Cy"])
        try realm.write { first.members.formUnion(second.members) }
        #expect(first.members.contains(users[0]))
        try realm.write { first.members.formIntersection(second.members) }
        #expect(first.members.map(\.name) == ["Ada"])
        try realm.write { realm.delete(users[0]) }
        #expect(first.members.isEmpty && second.members.isEmpty)
    }

    @Test("identifiers of users are stable, and differ between users")
    func identifiers() throws {
        let realm = try file.open()
        let ada = ChatUser(value: ["name": "Ada"])
        let bob = ChatUser(value: ["name": "Bob"])
        try realm.write { realm.add([ada, bob]) }

        #expect(ada.id != bob.id)
        #expect(realm.objects(ChatUser.self).where { $0.id == ada.id }.first == ada)
        #expect(realm.object(ofType: ChatUser.self, forPrimaryKey: bob.id)?.name == "Bob")
    }
}
