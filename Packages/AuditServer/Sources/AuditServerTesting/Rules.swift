import AuditModel
import EventModel

/// Collects the rules that are broken, each as its sentence.
final class Rules {
    private(set) var broken: [String] = []

    func expect(_ isKept: Bool, _ rule: String) {
        if !isKept { broken.append(rule) }
    }

    /// Notes a rule that is broken.
    func broken(_ rule: String) { broken.append(rule) }

    /// Expects an error with a code.
    func expect(
        _ rule: String,
        _ code: TransportError.Code,
        _ body: () async throws -> some Any
    ) async {
        do {
            _ = try await body()
            broken.append(rule)
        } catch let error as AuditServerError where error.code == code {
            return
        } catch {
            broken.append("\(rule), and not: \(error)")
        }
    }
}
