import Foundation
import ObjectStoreTesting
import Testing

@testable import ObjectStore

@Suite("What is no file of ours is refused with a sentence and stays as it is")
struct StrangeFileTests {
    private let file: TemporaryRealm
    private let path: String

    init() throws {
        file = try TemporaryRealm()
        path = try #require(file.configuration.fileURL).path
    }

    private func expectRefused(_ code: Realm.Error.Code, _ words: String = "cannot be opened") {
        for readOnly in [false, true] {
            let error = #expect(throws: Realm.Error.self) { try file.open { $0.readOnly = readOnly } }
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(error?.message.contains(words) == true, "\(String(describing: error))")
            #expect(error?.fileURL?.path == path)
        }
    }

    @Test("a folder")
    func folder() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        expectRefused(.fileAccess)
    }

    @Test("a pipe, which nobody writes to")
    func pipe() {
        #expect(mkfifo(path, 0o600) == 0)
        expectRefused(.fileAccess, "it is not a file")
    }

    @Test("a socket")
    func socket() throws {
        let descriptor = Foundation.socket(AF_UNIX, Self.stream, 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        #expect(isBound == 0)
        expectRefused(.fileAccess)
    }

    #if os(Linux)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    @Test("a device")
    func device() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
        for readOnly in [false, true] {
            let error = #expect(throws: Realm.Error.self) { try file.open { $0.readOnly = readOnly } }
            #expect(error?.code == .fileAccess)
        }
    }

    @Test("a link to a realm is that realm")
    func link() throws {
        let realm = try file.open()
        try realm.write { realm.add(Person.numbered(1)) }
        let link = "\(path).link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)

        let same = try file.open { $0.fileURL = URL(fileURLWithPath: link) }

        #expect(same == realm)
        #expect(same.objects(Person.self).count == 1)
    }

    @Test("a link to nothing makes the file that it names, and is not found read-only")
    func danglingLink() throws {
        let target = "\(path).target"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(throws: Realm.Error(.fileNotFound, "")) { try file.open { $0.readOnly = true } }

        _ = try file.open()

        #expect(FileManager.default.fileExists(atPath: target))
    }

    @Test("a folder in place of the log")
    func logFolder() throws {
        do {
            let realm = try file.open()
            try realm.write { realm.add(Person.numbered(1)) }
        }
        try FileManager.default.createDirectory(atPath: "\(path)-wal", withIntermediateDirectories: false)

        let error = #expect(throws: Realm.Error.self) { try file.open() }

        #expect(error?.code == .fileAccess)
    }

    @Test("a file of a newer library is refused, whatever its tables are")
    func newer() throws {
        do {
            let realm = try file.open()
            try realm.core.store.connection.execute("UPDATE \"$realm\" SET format = 99")
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))

        expectRefused(.unsupportedFileFormatVersion, "format 99")

        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test("a realm whose own tables are gone is damaged", arguments: ["$realm", "$class", "$property"])
    func missingTable(name: String) throws {
        do {
            let realm = try file.open()
            try realm.write { realm.add(Person.numbered(1)) }
            try realm.core.store.connection.execute("DELETE FROM \"\(name)\"")
        }

        let error = #expect(throws: Realm.Error.self) { try file.open() }

        #expect(error != nil)
    }
}

#if os(Linux)
/// The owner of everything may do everything, so that the tests become somebody else in a process of their own.
@Suite("Missing permissions")
struct PermissionTests {
    private static func becomeNobody(owning paths: [String]) {
        guard geteuid() == 0 else { return }
        for path in paths { chown(path, 65_534, 65_534) }
        seteuid(65_534)
    }

    private static func configuration(_ folder: String, readOnly: Bool = false) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: "\(folder)/test.realm"),
            encryptionKey: TemporaryRealm.suiteKey,
            readOnly: readOnly,
            objectTypes: Sample.types
        )
    }

    private func filled() throws -> TemporaryRealm {
        let file = try TemporaryRealm()
        let realm = try file.open()
        try realm.write { realm.add(Person.numbered(1)) }
        return file
    }

    @Test("a file that this user may not read")
    func unreadable() async throws {
        let folder = try filled()
        let path = folder.folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            Self.becomeNobody(owning: [path, "\(path)/test.realm"])
            chmod("\(path)/test.realm", 0)
            for readOnly in [false, true] {
                let error = #expect(throws: Realm.Error.self) {
                    try Realm(configuration: Self.configuration(path, readOnly: readOnly))
                }
                #expect(error?.code == .filePermissionDenied)
            }
        }
    }

    @Test("a file that this user may not write can be read only")
    func unwritable() async throws {
        let folder = try filled()
        let path = folder.folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            Self.becomeNobody(owning: [path, "\(path)/test.realm"])
            chmod("\(path)/test.realm", 0o400)
            let error = #expect(throws: Realm.Error.self) { try Realm(configuration: Self.configuration(path)) }
            #expect(error?.code == .filePermissionDenied)
            let realm = try Realm(configuration: Self.configuration(path, readOnly: true))
            #expect(realm.objects(Person.self).count == 1)
        }
    }

    @Test("a folder that this user may not write")
    func unwritableFolder() async throws {
        let folder = try filled()
        let path = folder.folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            Self.becomeNobody(owning: [path, "\(path)/test.realm"])
            chmod(path, 0o500)
            let error = #expect(throws: Realm.Error.self) { try Realm(configuration: Self.configuration(path)) }
            #expect([.filePermissionDenied, .fileAccess].contains(error?.code), "\(String(describing: error))")
            // Even reading needs the index of the log, which has to be made.
            let other = #expect(throws: Realm.Error.self) {
                try Realm(configuration: Self.configuration(path, readOnly: true))
            }
            #expect([.filePermissionDenied, .fileAccess].contains(other?.code), "\(String(describing: other))")
            chmod(path, 0o700)
        }
    }
}
#endif
