/// Why a session ended, for those who count them.
package enum SessionEnd: String, CaseIterable, Sendable {
    case signedOut, reused, administrator, tooMany
}
