import ChangeModel
import EventModel
import SyncServer

extension SQLiteRealmState {
    /// Returns the number of a class of this realm.
    ///
    /// - Returns: The number; nil for a class that nobody ever named, unless it is to be made.
    func classNumber(_ name: ExactText, making: Bool) throws -> Int64? {
        if let number = classes[name] { return number }
        let bind: (PreparedStatement) throws -> Void = { [realm] statement in
            try statement.bind(realm, at: 1)
            try statement.bind(name.string, at: 2)
        }
        if let number = try statements.first(.findClass, bind, { try $0.number(0) }) {
            classes[name] = number
            return number
        }
        guard making else { return nil }
        try statements.run(.addClass, bind)
        classes[name] = statements.lastNumber
        return statements.lastNumber
    }

    /// Returns the address of an object by its number.
    func address(of object: Int64) throws -> ObjectAddress {
        let row = try statements.first(.objectAddress) {
            try $0.bind(object, at: 1)
        } _: { statement in
            (try statement.number(0), try OrderedReader.key(try statement.blob(1)))
        }
        guard let (number, key) = row else { throw OrderedReader.damage }
        let name = try statements.first(.className) {
            try $0.bind(number, at: 1)
        } _: {
            $0.text(0)
        }
        guard let name = name ?? nil else { throw OrderedReader.damage }
        return ObjectAddress(ExactText(name), key)
    }

    /// Returns what is kept of a file; nil for none.
    func record(of file: UInt32) throws -> FileRecord? {
        if let known = files[file] { return known }
        let record = try statements.first(.file) { statement in
            try statement.bind(realm, at: 1)
            try statement.bind(Int64(file), at: 2)
        } _: {
            try FileRecord($0)
        }
        files.updateValue(record, forKey: file)
        return record
    }
}

extension FileRecord {
    /// Reads the columns of ``RealmStatement/file``.
    init(_ statement: PreparedStatement) throws {
        guard let user = statement.text(0), let number = UInt32(exactly: try statement.number(1)),
            let salt = Digest(try statement.blob(3)), let chain = Digest(try statement.blob(7))
        else { throw OrderedReader.damage }
        self.init(
            user: ExactText(user),
            userNumber: number,
            deviceKey: try statement.blob(2),
            saltHash: salt,
            progress: FileProgress(
                acknowledged: Int(try statement.number(4)),
                base: Int(try statement.number(5)),
                clock: HybridClock(bits: UInt64(bitPattern: try statement.number(6)))
            ),
            chain: chain
        )
    }
}
