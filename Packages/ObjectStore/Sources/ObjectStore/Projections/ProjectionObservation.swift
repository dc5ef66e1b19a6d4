import EventModel

/// A handler of one projection: that of its object, told in the projected properties.
final class ProjectionObservation<P: ProjectionObservable>: ObjectObservation {
    private let projection: P
    private let properties: [Observed]

    private struct Observed {
        let property: ProjectionSchema.Property
        /// The stored properties that it leads through, by their slots.
        let path: [Int]
    }

    init(
        _ projection: P,
        _ core: ObjectCore,
        _ realm: RealmCore,
        _ row: ObjectSnapshot,
        _ version: UInt64,
        _ properties: [ProjectionSchema.Property],
        _ block: @escaping (ObjectChange<P>) -> Void
    ) {
        let observed = Self.observed(properties, core, realm)
        self.projection = projection
        self.properties = observed
        super
            .init(core, realm, row, version, .paths(observed.map(\.path), nil)) { event in
                block(ObjectChange(event, projection))
            }
    }

    // Apart from the initializer, which the optimizer of Swift 6.3.1 does not survive with a closure over parts of a tuple.
    private static func observed(
        _ properties: [ProjectionSchema.Property],
        _ core: ObjectCore,
        _ realm: RealmCore
    ) -> [Observed] {
        properties.map { property in
            Observed(
                property: property,
                path: ObservedPaths.slots(property.storedKeyPath, of: core.table.schema, in: realm)
            )
        }
    }

    override func event(
        _ slots: SlotSet,
        from old: ObjectSnapshot,
        _ isForeign: Bool,
        _ changes: LoggedChanges
    ) throws(Realm.Error) -> Event? {
        let tracer = ChangeTracer(realm.store, changes)
        var told: [PropertyChange] = []
        for observed in properties where slots.contains(observed.path[0]) {
            guard try tracer.along(observed.path[...], core.table).contains(core.key) else { continue }
            let property = observed.property
            // Where a link led to before, only the row before says; what it led to has changed meanwhile.
            let hasOld = isForeign && !property.isCollection && observed.path.count == 1
            told.append(
                PropertyChange(
                    name: property.name,
                    oldValue: hasOld ? value(property, of: root(old)) : nil,
                    newValue: property.isCollection ? nil : value(property, of: projection.rootObject)
                )
            )
        }
        return told.isEmpty ? nil : .change(told)
    }

    /// The object as a row has it.
    private func root(_ row: ObjectSnapshot) -> P.Root {
        P.Root._object(
            ObjectCore(
                realm: realm,
                table: core.table,
                row: row,
                generation: core.table.generation,
                parent: core.parent
            )
        )
    }

    private func value(_ property: ProjectionSchema.Property, of root: P.Root) -> Any? {
        root[keyPath: property.keyPath].flatMap { unwrapped($0) }
    }
}
