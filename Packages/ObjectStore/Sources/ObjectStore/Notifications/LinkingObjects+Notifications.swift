extension LinkingObjects: ObservableCollection {
    var subject: String { "A collection of linking objects of '\(Element.className())'" }

    var observedRealm: RealmCore? { target?.core.confinedRealm }

    func observedSource() -> ObservedSource? {
        guard let core = target?.core, core.isValid, let state = _results.state else { return nil }
        return ObservedSource(state)
    }

    func handover() -> @Sendable (RealmCore) -> any ObservableCollection {
        guard let (core, slot) = target else { misuse("\(subject) was handed to another place that is unmanaged.") }
        let reference = RowReference(core)
        return { realm in Self._read(reference.core(in: realm), slot) }
    }
}
