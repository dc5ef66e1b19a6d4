import Synchronization

/// Ends the process because the program broke a rule that the types cannot express.
///
/// Every trap of the store goes through here, so that each says in a full sentence what is wrong and what to do
/// instead.
@usableFromInline
func misuse(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    Realm.onMisuse?(sentence)
    fatalError(sentence, file: file, line: line)
}

extension Realm {
    private static let misuseObserver = Mutex<(@Sendable (_ sentence: String) -> Void)?>(nil)

    /// Is called with what the program did wrong, just before that ends the process; nil by default.
    ///
    /// A reporter of crashes can keep the sentence here. It is called on the thread that did it, at most once unless
    /// several threads do wrong at the same time; it must not use a realm.
    public static var onMisuse: (@Sendable (_ sentence: String) -> Void)? {
        get { misuseObserver.withLock { $0 } }
        set { misuseObserver.withLock { $0 = newValue } }
    }
}
