extension Realm {
    /// How far an import is.
    ///
    /// ```swift
    /// try Realm.importOriginal(from: old, into: configuration) { progress in
    ///     print("\(progress.completedObjects) of \(progress.totalObjects)")
    ///     return true
    /// }
    /// ```
    public struct ImportProgress: Sendable, Hashable {
        /// What an import does, one after the other.
        @nonexhaustive
        public enum Step: Sendable, Hashable {
            /// Objects are read from the old file and written to the new one.
            case copying
            /// The objects of the new file are read again, to be compared.
            case comparing
        }

        /// What the import does.
        public let step: Step
        /// With how many objects the step is done.
        public let completedObjects: Int
        /// How many objects the old file has.
        public let totalObjects: Int
    }
}
