/// Everything that the state of a realm asks of its database, each prepared once for a transaction.
enum RealmStatement: Int, CaseIterable {
    case findClass, addClass, className
    case findObject, addObject, updateObject, growObject, objectAddress
    case cell, cellsBelow, keepCell, forgetCell
    case links, addLink, removeLink
    case clearing, keepClearing, removeClearings
    case element, keepElement, removeElements
    case place, addPlace, firstPlace, nextPlace, removePlaces
    case file, updateFile
    case addEntry, addUpload, upload, entry, latestClock, floorClock
    case addPosted

    /// The text, all of whose values are arguments.
    var sql: String {
        switch self {
        case .findClass: "SELECT class FROM SyncClass WHERE realm = ? AND name = ?"
        case .addClass: "INSERT INTO SyncClass (realm, name) VALUES (?, ?)"
        case .className: "SELECT name FROM SyncClass WHERE class = ?"
        case .findObject: "SELECT object, epoch, changed, marks, bytes FROM SyncObject WHERE class = ? AND key = ?"
        case .addObject: "INSERT INTO SyncObject (class, key, epoch, changed, marks) VALUES (?, ?, 0, 0, x'')"
        case .updateObject:
            "UPDATE SyncObject SET epoch = ?, changed = ?, marks = ?, bytes = bytes + ? WHERE object = ?"
        case .growObject: "UPDATE SyncObject SET bytes = bytes + ? WHERE object = ?"
        case .objectAddress: "SELECT class, key FROM SyncObject WHERE object = ?"
        case .cell: "SELECT cell FROM SyncCell WHERE object = ? AND path = ?"
        case .cellsBelow:
            "SELECT path, cell FROM SyncCell WHERE object = ? AND path >= ? AND path < ? ORDER BY path"
        case .keepCell: "INSERT OR REPLACE INTO SyncCell (object, path, cell) VALUES (?, ?, ?)"
        case .forgetCell: "DELETE FROM SyncCell WHERE object = ? AND path = ?"
        case .links: "SELECT owner, path FROM SyncLink WHERE target = ?"
        case .addLink: "INSERT INTO SyncLink (target, owner, path) VALUES (?, ?, ?)"
        case .removeLink: "DELETE FROM SyncLink WHERE target = ? AND owner = ? AND path = ?"
        case .clearing: "SELECT stamp FROM SyncClearing WHERE object = ? AND path = ?"
        case .keepClearing: "INSERT OR REPLACE INTO SyncClearing (object, path, stamp) VALUES (?, ?, ?)"
        case .removeClearings: "DELETE FROM SyncClearing WHERE object = ? AND path >= ? AND path < ?"
        case .element: "SELECT state FROM SyncElement WHERE object = ? AND path = ? AND element = ?"
        case .keepElement: "INSERT OR REPLACE INTO SyncElement (object, path, element, state) VALUES (?, ?, ?, ?)"
        case .removeElements: "DELETE FROM SyncElement WHERE object = ? AND path >= ? AND path < ?"
        case .place: "SELECT stamp, anchor, element, number FROM SyncPlace WHERE object = ? AND path = ? AND stamp = ?"
        case .addPlace:
            "INSERT INTO SyncPlace (object, path, stamp, anchor, element, number) VALUES (?, ?, ?, ?, ?, ?)"
        case .firstPlace:
            """
            SELECT stamp, anchor, element, number FROM SyncPlace \
            WHERE object = ? AND path = ? AND anchor = ? ORDER BY stamp LIMIT 1
            """
        case .nextPlace:
            """
            SELECT stamp, anchor, element, number FROM SyncPlace \
            WHERE object = ? AND path = ? AND anchor = ? AND stamp > ? ORDER BY stamp LIMIT 1
            """
        case .removePlaces: "DELETE FROM SyncPlace WHERE object = ? AND path >= ? AND path < ?"
        case .file:
            """
            SELECT SyncUser.user, number, deviceKey, salt, acknowledged, base, clock, chain \
            FROM SyncFile JOIN SyncUser ON SyncUser.realm = SyncFile.realm AND number = SyncFile.user \
            WHERE SyncFile.realm = ? AND file = ?
            """
        case .updateFile:
            """
            UPDATE SyncFile SET acknowledged = ?, base = ?, clock = ?, chain = ?, seen = ? \
            WHERE realm = ? AND file = ?
            """
        case .addEntry: "INSERT INTO SyncEntry (realm, number, latestClock, entry) VALUES (?, ?, ?, ?)"
        case .addUpload: "INSERT INTO SyncUpload (realm, file, change, entry, uploaded) VALUES (?, ?, ?, ?, ?)"
        case .upload: "SELECT entry, uploaded FROM SyncUpload WHERE realm = ? AND file = ? AND change = ?"
        case .entry: "SELECT entry FROM SyncEntry WHERE realm = ? AND number = ?"
        case .addPosted:
            """
            INSERT INTO SyncPosted (realm, class, entry, operation, file, user, received, document) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        case .latestClock: "SELECT latestClock FROM SyncEntry WHERE realm = ? AND number = ?"
        case .floorClock: "SELECT floorClock FROM SyncRealm WHERE realm = ? AND floor = ?"
        }
    }
}
