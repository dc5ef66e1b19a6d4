extension ThreadConfined where Self: ObjectBase {
    /// Adds to an integer, so that increments of several devices are all counted.
    ///
    /// In a realm that keeps its changes this is sent as what was added: of `+5` here and `+4` elsewhere the sum is 9. To read a
    /// number and to assign another one (`object.count += 5`) is an assignment, of which the later one holds and the other is lost. Where the
    /// property was assigned in the same transaction, or given to a new object, it is part of that; added to what the declaration
    /// says it counts also when two devices create the object. In other realms, and of an object that is unmanaged, it is the same as
    /// the assignment.
    ///
    /// ```swift
    /// try realm.write { article.increment(\.views) }
    /// ```
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - amount: What is added, 1 by default; it may be negative. The sum wraps on overflow, on all devices alike.
    /// - Precondition: A transaction is open if the object is managed, and it is used where its realm may be.
    public func increment<Value: _IntegerValue>(
        _ property: ReferenceWritableKeyPath<Self, Value>,
        by amount: Value = 1
    ) {
        noteIncrement(
            KeyPathRecorder.path(of: property),
            by: Int64(truncatingIfNeeded: amount),
            wraps: self[keyPath: property].addingReportingOverflow(amount).overflow
        ) {
            self[keyPath: property] &+= amount
        }
    }

    /// Adds to an integer that may be null, which stays null; the increment counts where a number turns out to be there.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - amount: What is added, 1 by default; it may be negative. The sum wraps on overflow, on all devices alike.
    /// - Precondition: A transaction is open if the object is managed, and it is used where its realm may be.
    public func increment<Value: _IntegerValue>(
        _ property: ReferenceWritableKeyPath<Self, Value?>,
        by amount: Value = 1
    ) {
        noteIncrement(
            KeyPathRecorder.path(of: property),
            by: Int64(truncatingIfNeeded: amount),
            wraps: self[keyPath: property]?.addingReportingOverflow(amount).overflow ?? false
        ) {
            self[keyPath: property] = self[keyPath: property].map { $0 &+ amount }
        }
    }
}

extension ObjectBase {
    /// Runs what writes a sum, and notes what was added if the file keeps its changes.
    fileprivate func noteIncrement(
        _ path: [String],
        by amount: Int64,
        wraps: @autoclosure () -> Bool,
        _ write: () -> Void
    ) {
        guard let core = _core, let touched = core.table.touchedCells, path.count == 1,
            let property = core.table.schema.property(named: path[0])
        else { return write() }
        // What wraps is less than what was added, so that the default of a new object cannot be found from the two.
        if core.table.isNew(core.key) && wraps() { return write() }
        touched.increment(core.table, core.key, property.slot, by: amount, write)
    }
}
