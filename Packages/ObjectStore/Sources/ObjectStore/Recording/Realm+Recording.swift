public import EventModel

extension Realm {
    /// What is given every read and commit of the file, by whichever instance; nil for none.
    ///
    /// It is there when any instance of the file in this process was opened with an attachment.
    public var observer: (any RealmObserver)? { core.observer.current }
}
