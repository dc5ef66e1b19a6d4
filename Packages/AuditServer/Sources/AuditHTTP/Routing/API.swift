import HTTPTypes
import Hummingbird

/// Where features register their routes, each in a line: method, path, permission, handler.
///
/// ```swift
/// api.get("events", .auditor, listEvents)
/// ```
///
/// No route comes about without a permission, because Hummingbird's router is nowhere to be had for features. A part of a path that
/// requests fill in has a colon before its name.
struct API {
    /// Answers a request of somebody who may make it.
    typealias Handler<Asker> = @Sendable (Request, AuditRequestContext, Asker) async throws -> Response

    /// Checks a request of somebody who may make it, and returns what waits for the answer when the request's stack is gone.
    typealias LateHandler<Asker> =
        @Sendable (Request, AuditRequestContext, Asker) async throws -> LateAnswer.Wait

    private let registry: Registry
    private let prefix: String

    /// What all copies write into.
    private final class Registry {
        let router: Router<AuditRequestContext>
        let access: AccessCheck
        var table = RouteTable()

        init(_ router: Router<AuditRequestContext>, _ access: AccessCheck) {
            self.router = router
            self.access = access
        }
    }

    /// Begins a table of routes; their paths are below `/api/v1`.
    init(_ router: Router<AuditRequestContext>, _ access: AccessCheck) {
        registry = Registry(router, access)
        prefix = "api/v1"
    }

    private init(_ registry: Registry, at prefix: String) {
        self.registry = registry
        self.prefix = prefix
    }

    /// The same for paths that are not below `/api/v1`.
    var root: API { API(registry, at: "") }

    /// All routes that were registered.
    var table: RouteTable { registry.table }

    /// Registers a route that shows something.
    func get<Asker>(_ path: String, _ permission: Permission<Asker>, _ handler: @escaping Handler<Asker>) {
        register(.get, path, permission, handler)
    }

    /// Registers a route that shows something once it is there: it checks the request, and returns what waits and answers.
    func get<Asker>(_ path: String, _ permission: Permission<Asker>, late handler: @escaping LateHandler<Asker>) {
        register(.get, path, permission) { request, context, asker in
            context.late.promise(try await handler(request, context, asker))
            // Nobody gets to see this one.
            return Response(status: .ok)
        }
    }

    /// Registers a route that makes or does something.
    func post<Asker>(_ path: String, _ permission: Permission<Asker>, _ handler: @escaping Handler<Asker>) {
        register(.post, path, permission, handler)
    }

    /// Registers a route that changes something.
    func put<Asker>(_ path: String, _ permission: Permission<Asker>, _ handler: @escaping Handler<Asker>) {
        register(.put, path, permission, handler)
    }

    /// Registers a route that ends or removes something.
    func delete<Asker>(_ path: String, _ permission: Permission<Asker>, _ handler: @escaping Handler<Asker>) {
        register(.delete, path, permission, handler)
    }

    private func register<Asker>(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ permission: Permission<Asker>,
        _ handler: @escaping Handler<Asker>
    ) {
        let path = RouterPath("\(prefix)/\(path)")
        registry.table.add(
            RouteTable.Row(method: method.rawValue, path: path.description, permission: permission.name)
        )
        registry.router.on(path, method: method) { [access = registry.access] request, context in
            let (context, asker) = try await access.admit(request, context, by: permission)
            return try await handler(request, context, asker)
        }
    }
}
