package import EventModel
import Synchronization

/// What is wrong with what the server stores, as far as its checks have found out: one place that they write and all others read.
///
/// A finding goes when the same check finds the same thing good again, and by nothing else: not by a restart, and not because the thing
/// is gone.
package final class FindingBook: Sendable {
    /// What is known at one moment.
    package struct Page: Sendable, Hashable {
        /// What is wrong, in the order in which it was found.
        package var findings: [CheckFinding] = []
        /// Whether there is more wrong than is kept.
        package var isCut = false
        /// The last pass of the verification that came to the end; nil before the first.
        package var last: CheckPass?
        /// The pass that is under way; nil before the first step.
        package var current: CheckPass?
        /// What is to be known of the checks themselves, each a sentence.
        package var remarks: [String] = []
    }

    /// The most findings that are kept; what is beyond them is as wrong, and found again when others are repaired.
    package static let maximumFindings = 1000

    private struct State {
        var findings: [CheckSubject: CheckFinding] = [:]
        var passes: (last: CheckPass?, current: CheckPass?) = (nil, nil)
        var remarks: [CheckRemark: String] = [:]
        /// Whether a finding had no room since the last pass began, and during that one.
        var isCut = (now: false, before: false)
        /// Counts what was changed, so that whoever keeps it knows whether it is kept.
        var changes: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// What is known now.
    ///
    /// - Complexity: O(*n* log *n*) in the findings.
    package var page: Page {
        state.withLock { state in
            Page(
                findings: state.findings.values.sorted {
                    ($0.found, $0.subject.kind.rawValue, $0.subject.partition?.value ?? "")
                        < ($1.found, $1.subject.kind.rawValue, $1.subject.partition?.value ?? "")
                },
                isCut: state.isCut.now || state.isCut.before,
                last: state.passes.last,
                current: state.passes.current,
                remarks: CheckRemark.allCases.compactMap { state.remarks[$0] }
            )
        }
    }

    /// How many findings there are.
    package var count: Int { state.withLock { $0.findings.count } }

    /// How often something was changed that is to be kept.
    package var changes: UInt64 { state.withLock { $0.changes } }

    // MARK: - Writing

    /// Takes over what an earlier process had found.
    package func restore(_ findings: [CheckFinding], isCut: Bool, last: CheckPass?, current: CheckPass?) {
        state.withLock { state in
            for finding in findings.prefix(Self.maximumFindings) { state.findings[finding.subject] = finding }
            state.isCut.before = isCut
            state.passes = (last, current)
        }
    }

    /// Writes down what a check says of something.
    ///
    /// - Parameters:
    ///   - subject: What was looked at.
    ///   - owner: Whose partition it is; nil where it is about none.
    ///   - problems: What is wrong, each a sentence; nothing when it is good, which ends an earlier finding.
    ///   - now: When that was found.
    package func note(_ subject: CheckSubject, of owner: EventOwner? = nil, _ problems: [String], at now: EventInstant)
    {
        state.withLock { state in
            let before = state.findings[subject]
            guard !problems.isEmpty else {
                if before != nil {
                    state.findings[subject] = nil
                    state.changes += 1
                }
                return
            }
            guard before != nil || state.findings.count < Self.maximumFindings else {
                state.isCut.now = true
                return
            }
            let finding = CheckFinding(subject, of: owner ?? before?.owner, problems, found: before?.found ?? now)
            guard finding != before else { return }
            state.findings[subject] = finding
            state.changes += 1
        }
    }

    /// Writes down how far the verification is.
    package func note(last: CheckPass?, current: CheckPass?) {
        state.withLock { state in
            if last != state.passes.last {
                state.isCut = (now: false, before: state.isCut.now)
                state.remarks[.startedOver] = nil
            }
            state.passes = (last, current)
        }
    }

    /// Writes down what is to be known of the checks themselves.
    ///
    /// - Parameters:
    ///   - remark: Which thing.
    ///   - sentence: What is to be known; nil when it is over.
    package func note(_ remark: CheckRemark, _ sentence: String?) {
        state.withLock { $0.remarks[remark] = sentence }
    }
}

/// What is to be known of the checks themselves.
package enum CheckRemark: Sendable, Hashable, CaseIterable {
    /// They began anew, because what was kept of them could not be read.
    case startedOver
    /// What they find cannot be kept.
    case unkept
}
