import ObjectStore

extension RealmWindow {
    /// Writes objects from the lines of an export, all of them or none.
    ///
    /// The file must have the classes. An object with a primary key that the file has already gets the values of its line; every other line is
    /// a new object. The window must be writable.
    ///
    /// - Parameter lines: The lines, with or without what ends them; blank ones are left out.
    /// - Returns: How many objects were written, by class.
    /// - Throws: ``RealmWindowError`` with the number of the line, and the error of the store when the file cannot be written. The file is as it
    ///   was then.
    /// - Complexity: O(*n*); memory grows with the objects of classes without a primary key, and with the changes of one transaction.
    @discardableResult
    public func importLines(_ lines: some Sequence<String>) throws -> [String: Int] {
        try realm.write {
            var lineImport = LineImport(self)
            for line in lines { try lineImport.take(line) }
            try lineImport.finish()
            return lineImport.counts
        }
    }
}
