public import Foundation
import ObjectStore

/// A realm file as tools see it that do not know the program's classes: what it has, by name.
///
/// ```swift
/// let window = try RealmWindow(URL(fileURLWithPath: "ward.realm"))
/// for item in try window.classes() { print(item.name, item.count) }
/// ```
/// It belongs to the thread that made it, like the instance of the realm inside. A program may write to the file meanwhile: a window shows
/// the version that was the newest when it was opened, until ``refresh()``.
public final class RealmWindow {
    let realm: Realm

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - file: The file, which must exist.
    ///   - encryptionKey: The key of an encrypted file, 64 bytes.
    ///   - isWritable: Whether ``importLines(_:)`` may write; false by default, which leaves not even a lock file behind.
    /// - Throws: ``RealmWindowError/missingFile(_:)``, ``RealmWindowError/originalFile(_:)``, ``RealmWindowError/missingKey(_:)``,
    ///   and the error of the store with its code: no realm, a damaged one, a wrong key, no permission.
    public init(_ file: URL, encryptionKey: Data? = nil, isWritable: Bool = false) throws {
        var configuration = Realm.Configuration(
            fileURL: file,
            encryptionKey: encryptionKey,
            readOnly: !isWritable
        )
        configuration.usesClassesOfFile = true
        guard !Self.isOriginal(file) else { throw RealmWindowError.originalFile(file.path) }
        guard encryptionKey != nil || !Self.isEncrypted(file) else { throw RealmWindowError.missingKey(file.path) }
        do {
            realm = try Realm(configuration: configuration)
        } catch Realm.Error.fileNotFound {
            throw RealmWindowError.missingFile(file.path)
        }
    }

    /// The version of the schema that the program gave the file.
    public var schemaVersion: UInt64 { realm.configuration.schemaVersion }

    /// Shows what programs have written since; true when that is anything.
    @discardableResult
    public func refresh() -> Bool { realm.refresh() }

    /// Reads the classes, sorted by name.
    ///
    /// - Returns: The classes with the counts of their objects.
    /// - Throws: The error of the store when the file is damaged.
    /// - Complexity: O(*n*) in the count of objects, which are counted anew.
    public func classes() throws -> [WindowClass] {
        try realm.read { realm in
            realm.schema.objectSchema.map { WindowClass($0, count: realm.dynamicObjects($0.className).count) }
        }
    }

    /// Finds the description of a class.
    ///
    /// - Parameter name: Its stored name.
    /// - Returns: The description.
    /// - Throws: ``RealmWindowError/missingClass(_:known:)``.
    func schema(of name: String) throws -> ObjectSchema {
        guard let schema = realm.schema[name] else {
            throw RealmWindowError.missingClass(name, known: realm.schema.objectSchema.map(\.className))
        }
        return schema
    }
}
