import AuditModel
import EventModel
import Foundation
import Hummingbird

extension AuditRequestContext {
    /// Returns what the path of a request has at a named part of its route, as it was sent.
    func pathPart(_ name: String) -> String? { parameters.get(name) }

    /// Reads the app that the path names, whatever it is.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when there is none.
    func app() throws(AuditServerError) -> String {
        guard let app = pathPart("app") else { throw .rejected(reason: "the path does not name an app") }
        return app
    }

    /// Reads the partition that the path names.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is none.
    func partition() throws(AuditServerError) -> PartitionID {
        guard let text = pathPart("partition")?.removingPercentEncoding else {
            throw .rejected(reason: "the path does not name a partition")
        }
        return try .reading(text)
    }

    /// Reads the partition value that the path names.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is none.
    func realmValue() throws(AuditServerError) -> RealmValue {
        guard let text = pathPart("value")?.removingPercentEncoding, let value = RealmValue(typedText: text) else {
            throw .rejected(reason: "the path does not name a partition value, such as s_ward-3 or i_7")
        }
        return value
    }

    /// Reads the sequence that the path names.
    ///
    /// - Throws: `AuditServerError.rejected(reason:)` when it is none.
    func sequence() throws(AuditServerError) -> UInt64 {
        guard let sequence = pathPart("sequence").flatMap({ UInt64($0) }), sequence > 0 else {
            throw .rejected(reason: "the path does not name an event")
        }
        return sequence
    }

    /// Reads the id that a path names: digits and small letters of hexadecimal numbers.
    ///
    /// - Throws: `AuditServerError.missing(what:)` when it can be none, as for one that is not there.
    func id(_ name: String, _ what: String) throws(AuditServerError) -> String {
        guard let id = pathPart(name), IssuedToken.isID(id) || Alert.isID(id) else { throw .missing(what: what) }
        return id
    }

    /// Reads a number that the path names.
    ///
    /// - Throws: `AuditServerError.missing(what:)` when it is none.
    func number(_ name: String) throws(AuditServerError) -> Int64 {
        guard let number = pathPart(name).flatMap({ Int64($0) }) else {
            throw .missing(what: "the path has no number")
        }
        return number
    }
}
