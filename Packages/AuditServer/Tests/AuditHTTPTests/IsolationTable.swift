import HTTPTypes

/// What each asker gets from each route that wants a token.
enum IsolationTable {
    /// A partition of the owner.
    static let partition = "ward-000000000000000700000001"
    private static let sealed = "ward-000000000000000700000002"
    private static let nurse = #"{"email":"nurse@ward.example","password":"correct horse"}"#
    private static let everybody = [200, 200, 200, 200, 200, 200, 200]
    private static let readers = [403, 403, 403, 200, 200, 200, 403]
    private static let missing = [403, 403, 403, 404, 404, 404, 403]
    private static let refused = [Int](repeating: 403, count: 7)
    /// An id that nothing has.
    private static let nothing = "0000000000000000000000ff"
    private static let administrators = [403, 403, 403, 403, 403, 403, 200]
    private static let keepers = [403, 403, 403, 200, 403, 403, 200]
    private static let lifters = [403, 403, 403, 403, 403, 403, 404]
    private static let revoking =
        #"{"app":"ward-app","user":"u","publicKey":"\#(String(repeating: "a", count: 64))","isRevoked":true,"reason":"r"}"#
    private static let keeping = #"{"name":"x","filter":{"activity":"a"},"reason":"r","events":0}"#

    /// Of a request that does not say which version of the protocol of realms it speaks.
    private static let sharers = [426, 426, 426, 403, 403, 403, 403]

    static let rows = [
        IsolationRow(method: .post, route: "sync/:value/bind", path: "sync/s_ward/bind", statuses: sharers),
        IsolationRow(method: .post, route: "sync/:value/changes", path: "sync/s_ward/changes", statuses: sharers),
        IsolationRow(method: .get, route: "sync/:value/changes", path: "sync/s_ward/changes", statuses: sharers),
        IsolationRow(method: .get, route: "sync/:value/objects", path: "sync/s_ward/objects", statuses: sharers),
        IsolationRow(
            method: .post,
            route: "partitions/:partition/events",
            path: "partitions/\(partition)/events",
            body: .stretch,
            statuses: [200, 403, 403, 403, 403, 403, 403]
        ),
        IsolationRow(
            method: .get,
            route: "partitions/:partition",
            path: "partitions/\(partition)",
            statuses: [200, 200, 200, 200, 200, 200, 403]
        ),
        IsolationRow(
            method: .get,
            route: "partitions/:partition/leaves",
            path: "partitions/\(partition)/leaves",
            statuses: readers
        ),
        IsolationRow(method: .get, route: "events", statuses: readers),
        IsolationRow(method: .get, route: "events/new", statuses: readers),
        IsolationRow(
            method: .get,
            route: "events/:event",
            path: "events/000000000000070100000001",
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(method: .get, route: "partitions", statuses: readers),
        IsolationRow(method: .get, route: "schema", statuses: readers),
        IsolationRow(
            method: .get,
            route: "apps/:app/schema",
            path: "apps/ward-app/schema",
            statuses: [403, 403, 403, 200, 200, 404, 200]
        ),
        IsolationRow(
            method: .post,
            route: "apps/:app/schema",
            path: "apps/ward-app/schema",
            body: .text(#"{"metadataColumns":["shift"]}"#),
            statuses: administrators
        ),
        IsolationRow(
            method: .get,
            route: "apps/:app/classes",
            path: "apps/ward-app/classes",
            statuses: [403, 403, 403, 200, 200, 404, 200]
        ),
        IsolationRow(
            method: .post,
            route: "apps/:app/classes",
            path: "apps/ward-app/classes",
            body: .text(#"{"classes":[{"name":"Pet","key":"_id","properties":[{"name":"_id","type":"int"}]}]}"#),
            statuses: administrators
        ),
        IsolationRow(method: .get, route: "apps/:app/users", path: "apps/ward-app/users", statuses: administrators),
        IsolationRow(
            method: .post,
            route: "apps/:app/users",
            path: "apps/ward-app/users",
            body: .text(#"{"email":"new@ward.example","password":"correct horse"}"#),
            statuses: administrators
        ),
        IsolationRow(
            method: .put,
            route: "apps/:app/users/password",
            path: "apps/ward-app/users/password",
            body: .text(nurse),
            statuses: [403, 403, 403, 403, 403, 403, 204]
        ),
        IsolationRow(
            method: .delete,
            route: "apps/:app/users/:user",
            path: "apps/ward-app/users/0000000000000000000000aa",
            statuses: [403, 403, 403, 403, 403, 403, 204]
        ),
        IsolationRow(
            method: .get,
            route: "apps/:app/users/:user/sessions",
            path: "apps/ward-app/users/0000000000000000000000aa/sessions",
            statuses: administrators
        ),
        IsolationRow(
            method: .delete,
            route: "apps/:app/users/:user/sessions",
            path: "apps/ward-app/users/0000000000000000000000aa/sessions",
            statuses: administrators
        ),
        IsolationRow(
            method: .delete,
            route: "apps/:app/users/:user/sessions/:session",
            path: "apps/ward-app/users/0000000000000000000000aa/sessions/\(nothing)",
            statuses: lifters
        ),
        IsolationRow(method: .delete, route: "users/me", statuses: [204, 204, 204, 403, 403, 403, 403]),
        IsolationRow(
            method: .post,
            route: "tokens",
            body: .text(#"{"role":"auditor","name":"x"}"#),
            statuses: administrators
        ),
        IsolationRow(method: .get, route: "tokens", statuses: administrators),
        IsolationRow(method: .get, route: "exports", statuses: readers),
        IsolationRow(
            method: .post,
            route: "exports",
            body: .text(#"{"formats":["csv"]}"#),
            statuses: [403, 403, 403, 202, 202, 202, 403]
        ),
        IsolationRow(
            method: .get,
            route: "exports/:export",
            path: "exports/000000000000000000000001",
            statuses: [403, 403, 403, 404, 404, 404, 403]
        ),
        IsolationRow(
            method: .delete,
            route: "exports/:export",
            path: "exports/000000000000000000000001",
            statuses: [403, 403, 403, 404, 404, 404, 403]
        ),
        IsolationRow(
            method: .get,
            route: "exports/:export/files/:file",
            path: "exports/000000000000000000000001/files/events.csv",
            statuses: [403, 403, 403, 404, 404, 404, 403]
        ),
        IsolationRow(
            method: .delete,
            route: "tokens/:token",
            path: "tokens/000000000000000000000001",
            statuses: [403, 403, 403, 403, 403, 403, 404]
        ),
        IsolationRow(method: .get, route: "search", statuses: readers),
        IsolationRow(method: .get, route: "search/volume", statuses: readers),
        IsolationRow(method: .get, route: "search/values", statuses: [403, 403, 403, 200, 403, 403, 403]),
        IsolationRow(method: .get, route: "search/new", statuses: readers),
        IsolationRow(method: .get, route: "search/summary", statuses: readers),
        IsolationRow(method: .get, route: "timeline", statuses: readers),
        IsolationRow(method: .get, route: "names", path: "names?text=anna", statuses: readers),
        IsolationRow(method: .get, route: "people", path: "people?id=ada", statuses: readers),
        IsolationRow(
            method: .get,
            route: "reconstruct",
            path: "reconstruct?class=Patient&key=p1&person=ada&at=\(partition)/1",
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(method: .get, route: "completeness/clocks", statuses: readers),
        IsolationRow(method: .get, route: "completeness/log", statuses: readers),
        IsolationRow(
            method: .get,
            route: "completeness/devices",
            path: "completeness/devices?partition=\(partition)",
            statuses: readers
        ),
        IsolationRow(
            method: .get,
            route: "partitions/:partition/events/:sequence",
            path: "partitions/\(partition)/events/1",
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(method: .get, route: "views", statuses: readers),
        IsolationRow(method: .post, route: "views", body: .text(#"{"name":"x","query":""}"#), statuses: readers),
        IsolationRow(
            method: .put,
            route: "views/:view",
            path: "views/\(nothing)",
            body: .text("{}"),
            statuses: missing
        ),
        IsolationRow(method: .delete, route: "views/:view", path: "views/\(nothing)", statuses: missing),
        IsolationRow(
            method: .get,
            route: "notes",
            path: "notes?partition=\(partition)",
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(
            method: .post,
            route: "notes",
            body: .text(#"{"subject":{"partition":"\#(partition)","sequence":1},"text":"x"}"#),
            statuses: [403, 403, 403, 200, 200, 404, 403]
        ),
        IsolationRow(method: .get, route: "reviews", statuses: readers),
        IsolationRow(
            method: .post,
            route: "reviews",
            body: .text(#"{"view":"\#(nothing)","period":"daily","zone":"UTC"}"#),
            statuses: refused,
            reviewers: [404, 404, 404]
        ),
        IsolationRow(
            method: .delete,
            route: "reviews/:review",
            path: "reviews/\(nothing)",
            statuses: refused,
            reviewers: [404, 404, 404]
        ),
        IsolationRow(
            method: .get,
            route: "reviews/:review/signatures",
            path: "reviews/\(nothing)/signatures",
            statuses: missing
        ),
        IsolationRow(
            method: .post,
            route: "reviews/:review/signatures",
            path: "reviews/\(nothing)/signatures",
            body: .text(#"{"outcome":"noFinding","through":"2026-01-31T08:30:00Z"}"#),
            statuses: refused,
            reviewers: [404, 404, 404]
        ),
        IsolationRow(method: .get, route: "alerts", statuses: readers),
        IsolationRow(method: .get, route: "alerts/count", statuses: readers),
        IsolationRow(
            method: .post,
            route: "alerts/:alert/acknowledgement",
            path: "alerts/\(nothing)/acknowledgement",
            body: .text(#"{"reason":"x"}"#),
            statuses: refused,
            reviewers: [404, 404, 404]
        ),
        IsolationRow(method: .get, route: "holds", statuses: keepers),
        IsolationRow(method: .post, route: "holds", body: .text(keeping), statuses: administrators),
        IsolationRow(
            method: .post,
            route: "holds/:hold/lift",
            path: "holds/1/lift",
            body: .text(keeping),
            statuses: lifters
        ),
        IsolationRow(method: .get, route: "erasures", statuses: keepers),
        IsolationRow(method: .get, route: "erasures/:erasure/ranges", path: "erasures/1/ranges", statuses: keepers),
        IsolationRow(method: .post, route: "erasures/preview", body: .text(keeping), statuses: administrators),
        IsolationRow(method: .post, route: "erasures", body: .text(keeping), statuses: administrators),
        IsolationRow(method: .get, route: "retention", statuses: keepers),
        IsolationRow(method: .post, route: "retention", statuses: administrators),
        IsolationRow(method: .get, route: "retention/clock", statuses: keepers),
        IsolationRow(
            method: .post,
            route: "retention/clock",
            body: .text(#"{"reason":"r"}"#),
            statuses: administrators
        ),
        IsolationRow(method: .get, route: "unmasking/purposes", statuses: readers),
        IsolationRow(
            method: .post,
            route: "partitions/:partition/events/:sequence/unmask",
            path: "partitions/\(partition)/events/1/unmask",
            body: .text(#"{"purpose":"Complaint","reason":"x"}"#),
            statuses: [403, 403, 403, 403, 403, 403, 403],
            reviewers: [200, 200, 404]
        ),
        IsolationRow(
            method: .post,
            route: "objects/unmask",
            path: "objects/unmask?class=Patient&key=p1&since=2023-11-14T00:00:00Z&until=2023-11-15T00:00:00Z",
            body: .text(#"{"purpose":"Complaint","reason":"x"}"#),
            statuses: [403, 403, 403, 403, 403, 403, 403],
            reviewers: [200, 200, 200]
        ),
        IsolationRow(method: .get, route: "console/session", statuses: [403, 403, 403, 200, 200, 200, 200]),
        IsolationRow(method: .get, route: "log/head", statuses: everybody),
        IsolationRow(method: .get, route: "log/consistency", statuses: everybody),
        IsolationRow(
            method: .get,
            route: "log/inclusion",
            path: "log/inclusion?partition=\(sealed)",
            statuses: [200, 400, 400, 200, 200, 400, 403]
        ),
        IsolationRow(
            method: .get,
            route: "log/proof",
            path: "log/proof?partition=\(sealed)",
            // Nothing is published here: who may know of the partition learns that, and nobody else.
            statuses: [404, 400, 400, 404, 404, 400, 403]
        ),
        IsolationRow(method: .get, route: "log/entries", statuses: readers),
        IsolationRow(method: .get, route: "devices", statuses: readers),
        IsolationRow(method: .get, route: "devices/statements", statuses: keepers),
        IsolationRow(method: .get, route: "devices/registrations", statuses: keepers),
        IsolationRow(
            method: .post,
            route: "device-keys",
            body: .claim,
            // Whoever has another token than the claim is about has claimed the key of another.
            statuses: [200, 400, 400, 403, 403, 403, 403]
        ),
        IsolationRow(method: .post, route: "devices/statements", body: .text(revoking), statuses: administrators),
        IsolationRow(method: .get, route: "metrics", statuses: [403, 403, 403, 200, 403, 403, 200]),
    ]
}
