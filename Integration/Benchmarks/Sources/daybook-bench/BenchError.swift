/// Why a row could not be measured.
enum BenchError: Error, CustomStringConvertible {
    case damagedFile
    case noEvents
    case noEventFile
    case noMemoryFigure
    case noObject
    case noShape
    case notExported
    case notProven
    case notSynced
    case notTold
    case notUploaded
    case onePage
    case serverDidNotStart
    case sqlFailed
    case wrongAnswer

    /// The reason in a sentence.
    var description: String {
        switch self {
        case .damagedFile: "An event file is not what was written to it."
        case .noEvents: "The realm has no events, although it was opened with a configuration for them."
        case .noEventFile: "No event file was written."
        case .noMemoryFigure: "The system does not say how much memory the process has."
        case .noObject: "The realm has no objects, although some were just written."
        case .noShape: "A shape on the earth breaks a rule of shapes."
        case .notExported: "The server did not finish an export."
        case .notProven: "The server's answer does not prove what was sent."
        case .notSynced: "The realm has no session, or it ended."
        case .notTold: "The server answered a reader something else than the next entry."
        case .notUploaded: "Not everything was uploaded."
        case .onePage: "The search of many events has one page."
        case .serverDidNotStart: "The server did not start; what it said is above."
        case .sqlFailed: "PostgreSQL refused what the floor asked of it; what it said is above."
        case .wrongAnswer: "The realm answered something else than SQLite."
        }
    }
}
