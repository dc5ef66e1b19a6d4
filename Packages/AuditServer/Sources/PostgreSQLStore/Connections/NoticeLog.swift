import CPostgreSQL

/// Counts the warnings that PostgreSQL sends beside its answers.
///
/// The one that matters says that the wait for a standby was cancelled: the commit succeeded here, the answer says so,
/// and only this warning says that no other machine has it. It is known by its severity, because its words depend on
/// the language of the server.
final class NoticeLog {
    /// How many warnings came since ``forget()``.
    private(set) var warningCount = 0

    /// Starts to count anew.
    func forget() { warningCount = 0 }

    /// Has libpq tell this log about every notice of a connection.
    ///
    /// The connection must own the log and be closed before it lets go of it.
    func listen(to connection: OpaquePointer) {
        // SAFETY: libpq calls back only within calls for this connection, whose owner keeps the log as long.
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context, let result else { return }
                // SAFETY: see above; the context is the log that was passed there.
                Unmanaged<NoticeLog>.fromOpaque(context).takeUnretainedValue().note(result)
            },
            context
        )
    }

    private func note(_ result: OpaquePointer) {
        // 'V' is the field with the severity that no language changes.
        guard let severity = PQresultErrorField(result, Int32(UInt8(ascii: "V"))) else { return }
        if String(cString: severity) == "WARNING" { warningCount += 1 }
    }
}
