/// Ends the process because the program broke a rule that the types cannot express.
///
/// Every trap of the store goes through here, so that each says in a full sentence what is wrong and what to do
/// instead.
@usableFromInline
func misuse(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(sentence, file: file, line: line)
}
