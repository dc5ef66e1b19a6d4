import AuditModel

@testable import AuditHTTP

extension AuditService {
    /// Makes the parts of a service over another index.
    func parts(_ index: any SearchEngine) throws -> ServiceParts {
        var service = self
        service.index = index
        return try ServiceParts(of: service)
    }
}
