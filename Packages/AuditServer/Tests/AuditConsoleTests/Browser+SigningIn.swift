extension Browser {
    /// Signs in at the form that is shown, and returns when a page is shown.
    func signIn(with token: String) async throws {
        _ = try await text(of: "#token")
        try await run(
            "document.querySelector('#token').value = '\(token)'; document.querySelector('.sign-in').requestSubmit()"
        )
        _ = try await text(of: "#page:not([hidden]) h1")
    }

    /// Begins a new session as another tab would, and loads the page anew: it may have found out that the one before is over.
    func beginSession(with token: String) async throws {
        try await run(
            """
            const body = JSON.stringify({ token: '\(token)' })
            const answer = await fetch('/api/v1/console/session', { method: 'POST', body })
            if (!answer.ok) throw new Error(await answer.text())
            """
        )
        try await reload()
    }

    /// Opens a page of the console that somebody has signed in to, and waits until a selector of CSS fits.
    @discardableResult
    func visit(_ address: String, _ selector: String) async throws -> String {
        try await run("location.hash = \(Self.quoted(address))")
        return try await text(of: selector)
    }

    /// Waits for a form, fills it in by the beginnings of the ids of its fields, opens what it is folded in, and sends it.
    func fill(_ form: String, _ values: [String: String]) async throws {
        _ = try await text(of: form)
        let texts = try values.map { "[\(try Self.quoted($0)), \(try Self.quoted($1))]" }.joined(separator: ", ")
        try await run(
            """
            const form = document.querySelector(\(Self.quoted(form)))
            for (let place = form; place; place = place.parentElement) if (place.tagName === 'DETAILS') place.open = true
            for (const [id, value] of [\(texts)]) form.querySelector(`[id^="${id}"]`).value = value
            form.requestSubmit()
            """
        )
    }
}
