/// Tells the caller of an import how far it is, and hears whether it is to go on.
final class ImportWatch {
    private let handler: ((Realm.ImportProgress) -> Bool)?
    private let total: Int
    private var step = Realm.ImportProgress.Step.copying
    private var completed = 0
    private var untold = 0
    /// Whether the import is to end.
    private(set) var isCancelled = false

    /// How many objects are written between two calls.
    private static let interval = 4096

    init(total: Int, _ handler: ((Realm.ImportProgress) -> Bool)?) {
        self.total = total
        self.handler = handler
    }

    /// Begins a step.
    func begin(_ step: Realm.ImportProgress.Step) throws(Realm.Error) {
        (self.step, completed) = (step, 0)
        try tell()
    }

    /// Counts objects that are done.
    func didComplete(_ count: Int) throws(Realm.Error) {
        completed += count
        untold += count
        if untold >= Self.interval || completed == total { try tell() }
    }

    private func tell() throws(Realm.Error) {
        untold = 0
        let progress = Realm.ImportProgress(step: step, completedObjects: completed, totalObjects: total)
        guard handler?(progress) ?? true, !Task.isCancelled else {
            isCancelled = true
            throw Realm.Error(.fail, "The import was cancelled; nothing was kept.")
        }
    }
}
