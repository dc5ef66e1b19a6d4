import AuditModel
import AuditReview
import EventModel

/// What the checks of what is stored found, as an auditor is told: of what the auditor may read.
struct CheckAnswer: Encodable {
    /// A pass of the verification.
    struct Pass: Encodable {
        /// When it began, in microseconds since 1970.
        let began: EventInstant
        /// When it was at its end; nil while it is under way.
        let ended: EventInstant?
        /// How many sealed partitions it compared with the log; nil for whom counts are not made.
        let sealedPartitions: UInt64?
        /// How many partitions it verified.
        let partitions: UInt64?
        /// How many events these have.
        let events: UInt64?

        init(_ pass: CheckPass, _ access: EventAccess) {
            began = pass.began
            ended = pass.ended
            // Who reads some apps does not learn how much there is of others.
            sealedPartitions = access.isUnlimited ? pass.sealedPartitions : nil
            partitions = access.isUnlimited ? pass.partitions : nil
            events = access.isUnlimited ? pass.events : nil
        }
    }

    /// Something that is not as it should be.
    struct Found: Encodable {
        /// What it is about.
        let kind: CheckSubject.Kind
        let partition: PartitionID?
        let app: String?
        let user: String?
        /// What is wrong, each a sentence.
        let problems: [String]
        /// When it was found first.
        let found: EventInstant

        init(_ finding: CheckFinding) {
            kind = finding.subject.kind
            partition = finding.subject.partition
            app = finding.app
            user = finding.user
            problems = finding.problems
            found = finding.found
        }
    }

    /// Whether stored events are verified in the background at all.
    let isOn: Bool
    /// The last pass that came to the end.
    let last: Pass?
    /// The pass that is under way.
    let current: Pass?
    /// What is wrong.
    let findings: [Found]
    /// Whether there is more wrong than is kept.
    let isCut: Bool
    /// What is to be known of the checks themselves, each a sentence.
    let remarks: [String]

    init(_ page: FindingBook.Page, _ settings: AlertSettings, _ access: EventAccess) {
        isOn = settings.verifiedEventsPerSecond > 0
        last = page.last.map { Pass($0, access) }
        current = page.current.map { Pass($0, access) }
        findings = page.findings
            .filter { finding in
                guard let partition = finding.subject.partition, let owner = finding.owner else {
                    return access.isUnlimited
                }
                return access.includes(partition, of: owner)
            }
            .map { Found($0) }
        isCut = page.isCut
        remarks = page.remarks
    }
}
