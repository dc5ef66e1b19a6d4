import ChangeModel
import EventModel
import ObjectQueries

/// The links of a file whose targets are not here: nothing is shown for them until their targets come.
struct UnresolvedLinks {
    /// What holds a link: the row and property, and in a collection the element or key.
    struct Holder: Equatable {
        /// The class of the row, or ``SyncTables/nested``.
        let holderClass: String
        let holder: Int64
        /// The stored name of the property; empty in a nested collection.
        let property: String
        /// The name of an element, or the key of an entry; null for a single property, and for a member of a set.
        let step: Value
    }

    let objects: SyncedObjects

    /// Whether there may be any; nobody else keeps some while the transaction is open.
    func exist() throws(Realm.Error) -> Bool {
        if let known = objects.hasUnresolvedLinks { return known }
        let statement = try objects.statement("SELECT 1 FROM \(SyncTables.links) LIMIT 1")
        defer { statement.reset() }
        let exist = try statement.step()
        objects.hasUnresolvedLinks = exist
        return exist
    }

    func keep(_ target: ObjectAddress, _ holder: Holder) throws(Realm.Error) {
        objects.hasUnresolvedLinks = true
        let insert = try objects.statement(
            """
            INSERT INTO \(SyncTables.links) (class, key, holderClass, holder, property, step) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        )
        insert.bind(1, target.className.string)
        target.key.value.bind(to: insert.handle, at: 2)
        bind(holder, insert, 3)
        try insert.run()
    }

    /// Forgets what something holds, which has another value now.
    func forget(_ holder: Holder) throws(Realm.Error) {
        guard try exist() else { return }
        let delete = try objects.statement(
            """
            DELETE FROM \(SyncTables.links) \
            WHERE holderClass = ?1 AND holder = ?2 AND property = ?3 AND step IS ?4
            """
        )
        bind(holder, delete, 1)
        try delete.run()
    }

    /// Forgets one member of a set.
    func forget(_ target: ObjectAddress, in holder: Holder) throws(Realm.Error) {
        guard try exist() else { return }
        let delete = try objects.statement(
            """
            DELETE FROM \(SyncTables.links) \
            WHERE holderClass = ?1 AND holder = ?2 AND property = ?3 AND step IS ?4 AND class = ?5 AND key IS ?6
            """
        )
        bind(holder, delete, 1)
        delete.bind(5, target.className.string)
        target.key.value.bind(to: delete.handle, at: 6)
        try delete.run()
    }

    /// Forgets everything that a row or nested collection holds; in one property, or in all.
    func forgetAll(_ holderClass: String, _ holder: Int64, property: String? = nil) throws(Realm.Error) {
        guard try exist() else { return }
        let delete = try objects.statement(
            """
            DELETE FROM \(SyncTables.links) \
            WHERE holderClass = ?1 AND holder = ?2\(property == nil ? "" : " AND property = ?3")
            """
        )
        delete.bind(1, holderClass)
        delete.bind(2, holder)
        if let property { delete.bind(3, property) }
        try delete.run()
    }

    /// Takes out what waits for an object that came.
    func take(_ target: ObjectAddress) throws(Realm.Error) -> [Holder] {
        guard try exist() else { return [] }
        let select = try objects.statement(
            """
            SELECT holderClass, holder, property, step FROM \(SyncTables.links) \
            WHERE class = ?1 AND key IS ?2 ORDER BY id
            """
        )
        select.bind(1, target.className.string)
        target.key.value.bind(to: select.handle, at: 2)
        var holders: [Holder] = []
        while try select.step() {
            let step: Value =
                switch select.kind(3) {
                case .int: .int(select.int(3))
                case .text: .string(select.text(3))
                case .null, .number, .blob: .null
                }
            holders.append(
                Holder(holderClass: select.text(0), holder: select.int(1), property: select.text(2), step: step)
            )
        }
        guard !holders.isEmpty else { return [] }
        let delete = try objects.statement("DELETE FROM \(SyncTables.links) WHERE class = ?1 AND key IS ?2")
        delete.bind(1, target.className.string)
        target.key.value.bind(to: delete.handle, at: 2)
        try delete.run()
        return holders
    }

    private func bind(_ holder: Holder, _ statement: Statement, _ first: Int32) {
        statement.bind(first, holder.holderClass)
        statement.bind(first + 1, holder.holder)
        statement.bind(first + 2, holder.property)
        holder.step.bind(to: statement.handle, at: first + 3)
    }
}

extension StoredCollection {
    /// What an element, an entry or a member is called as the holder of a link.
    func holder(_ step: Value = .null) -> UnresolvedLinks.Holder {
        UnresolvedLinks.Holder(holderClass: holderClass, holder: owner, property: shape.columnName, step: step)
    }
}
