import EventModel

extension SnapshotPage {
    private static let magic = Array("DAYPAGE1".utf8)

    /// The bytes of the page.
    ///
    /// ```
    /// "DAYPAGE1"  head  names  count { class  key  changed  count { kind  rest of an operation } }  next
    /// next = 0 | 1, length, bytes
    /// ```
    ///
    /// Operations are written as in a change, without their object. Each name is written once for a page.
    ///
    /// - Complexity: O(*n*) in the operations; O(1) for a page that was read.
    public var encoded: [UInt8] {
        if let source { return source }
        var body = ChangeWriter()
        body.count(objects.count)
        for object in objects {
            body.object(object.object)
            body.count(object.changed)
            body.count(object.actions.count)
            for action in object.actions {
                body.byte(action.kind)
                body.rest(of: action)
            }
        }
        var head = ChangeWriter()
        head.raw(Self.magic)
        head.count(self.head)
        head.table(body.names)
        head.raw(body.bytes)
        head.byte(next == nil ? 0 : 1)
        if let next {
            head.count(next.bytes.count)
            head.raw(next.bytes)
        }
        return head.bytes
    }

    /// Reads a page.
    ///
    /// - Throws: ``ChangeModelError/malformed(offset:reason:)`` when the bytes are no page, its objects are not in order,
    ///   or an object does not begin with its creation, and ``ChangeModelError/tooLarge(bytes:limit:)`` when they or a
    ///   part of them are larger than ``ChangeLimits`` allow.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8]) throws(ChangeModelError) {
        guard bytes.count <= ChangeLimits.pageBytes else {
            throw .tooLarge(bytes: bytes.count, limit: ChangeLimits.pageBytes)
        }
        var reader = ChangeReader(bytes[...])
        guard try reader.raw(Self.magic.count).elementsEqual(Self.magic) else {
            throw .malformed(offset: 0, reason: "A page of this version begins with DAYPAGE1.")
        }
        let head = try reader.integer()
        try reader.table()
        var objects: [SnapshotObject] = []
        for _ in 0..<(try reader.count()) {
            let object = try reader.snapshotObject()
            if let last = objects.last, last.object >= object.object {
                throw reader.malformed("The objects of a page stand in the order of their classes and keys.")
            }
            objects.append(object)
        }
        var next: SnapshotCursor?
        switch try reader.byte() {
        case 0: break
        case 1:
            let count = try reader.count()
            guard count <= SnapshotCursor.maximumBytes else {
                throw .tooLarge(bytes: count, limit: SnapshotCursor.maximumBytes)
            }
            next = SnapshotCursor(bytes: Array(try reader.raw(count)))
        default: throw reader.malformed("A page has a cursor or none.")
        }
        guard reader.remaining == 0 else { throw reader.malformed("Something follows the page.") }
        self.init(head: head, objects: objects, next: next)
        source = bytes
    }
}

extension ChangeReader {
    fileprivate mutating func snapshotObject() throws(ChangeModelError) -> SnapshotObject {
        let object = try object()
        let changed = try integer()
        var actions: [ChangeOperation.Action] = []
        for _ in 0..<(try count()) { actions.append(try action(try byte())) }
        guard case .create = actions.first else { throw malformed("An object of a page begins with its creation.") }
        return SnapshotObject(object, changed: changed, actions: actions)
    }
}
