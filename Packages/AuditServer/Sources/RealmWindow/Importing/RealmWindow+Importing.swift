import ObjectStore

extension RealmWindow {
    /// Writes objects from the lines of an export, all of them or none.
    ///
    /// The file must have the classes. An object with a primary key that the file has already gets the values of its line; every other line is
    /// a new object. The window must be writable.
    ///
    /// - Parameter nextLine: Gives the next line, with or without what ends it, and nil at the end; blank ones are left out. What it throws
    ///   ends the import.
    /// - Returns: How many objects were written, by class.
    /// - Throws: ``RealmWindowError`` with the number of the line, what the lines throw, the error of the store when the file cannot be
    ///   written, and `CancellationError` when the task is cancelled. The file is as it was then.
    /// - Complexity: O(*n*); memory grows with the objects of classes without a primary key, and with the changes of one transaction.
    @discardableResult
    public func importLines(from nextLine: () throws -> String?) throws -> [String: Int] {
        try realm.write {
            var lineImport = LineImport(self)
            while let line = try nextLine() {
                try Task.checkCancellation()
                try lineImport.take(line)
            }
            try lineImport.finish()
            return lineImport.counts
        }
    }

    /// Writes objects from lines that are in memory; see ``importLines(from:)``.
    @discardableResult
    public func importLines(_ lines: [String]) throws -> [String: Int] {
        var rest = lines[...]
        return try importLines { rest.popFirst() }
    }
}
