public import EventModel

/// What the objects of each app are called, by their classes.
public struct ObjectLabels: Sendable, Hashable {
    /// No object has a label.
    public static let none = ObjectLabels(apps: [:])

    // TEXT: apps, which are ASCII.
    private let apps: [String: ClassLabels]
    /// What the objects of every other app are called.
    private let others: ClassLabels

    /// Describes what objects are called.
    ///
    /// - Parameters:
    ///   - apps: The labels by app.
    ///   - others: The labels of every other app; none by default.
    public init(apps: [String: ClassLabels], others: ClassLabels = .none) {  // TEXT: apps, which are ASCII.
        self.apps = apps.filter { !$0.value.isEmpty || !others.isEmpty }
        self.others = others
    }

    /// Whether no object has a label.
    public var isEmpty: Bool { apps.isEmpty && others.isEmpty }

    /// A text that is another one when something else is a label; empty where there is none.
    package var fingerprint: String {
        let labels = apps.sorted { $0.key < $1.key } + (others.isEmpty ? [] : [("", others)])
        return labels.map { app, labels in ([app] + labels.texts).joined(separator: "\u{0}") }.joined(separator: "\n")
    }

    /// Returns the labels of an app's classes.
    package func labels(of app: String) -> ClassLabels {
        // What auditors do names no object.
        app == TrailEvent.app ? .none : apps[app] ?? others
    }

    /// Returns the names of the classes that have a label in an app that somebody may read, sorted.
    package func classes(for access: EventAccess) -> [String] {
        var names = Set(others.classes)
        for (app, labels) in apps where access.includes(app: app) { names.formUnion(labels.classes) }
        return names.sorted().map(\.string)
    }

    /// Returns what the objects of an event are called in it, each once, in the order of its payload.
    ///
    /// One that changes what it is called by has its label from before, and then the one from afterwards. An object of which a
    /// value of its label is masked has none.
    ///
    /// - Parameters:
    ///   - stored: The event as auditors see it.
    ///   - limit: The largest number of labels; all by default.
    /// - Returns: The labels.
    /// - Complexity: O(*n*) in the bytes of the payload.
    package func all(in stored: StoredEvent, atMost limit: Int = .max) -> [ObjectLabel] {
        guard let app = stored.owner?.app, let event = stored.event, let data = event.data,
            event.event == "read" || event.event == "write"
        else { return [] }
        let labels = labels(of: app)
        if labels.isEmpty { return [] }
        return data.withUnsafeBufferPointer { bytes in
            var scan = LabelScan(PayloadScan(bytes), labels, limit)
            return scan.all()
        }
    }
}

/// What the objects of one app are called, by their classes.
public struct ClassLabels: Sendable, Hashable {
    /// No object has a label.
    public static let none = ClassLabels()

    private let templates: [ExactText: LabelTemplate]

    private init() { templates = [:] }

    /// Describes what objects are called.
    public init(_ templates: [ExactText: LabelTemplate]) {
        self.templates = templates
    }

    /// Whether no class has a label.
    public var isEmpty: Bool { templates.isEmpty }

    /// The names of the classes that have one.
    package var classes: [ExactText] { templates.keys.sorted() }

    /// Each class with its template, sorted.
    package var texts: [String] {
        templates.sorted { $0.key < $1.key }.flatMap { [$0.key.string, $0.value.text] }
    }

    /// Returns the template of a class.
    package func template(of name: String) -> LabelTemplate? { templates[ExactText(name)] }
}
