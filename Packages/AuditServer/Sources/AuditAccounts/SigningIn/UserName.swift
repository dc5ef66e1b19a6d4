import AuditModel
import EventModel

import struct Crypto.SHA256

/// Makes the id of a user from what never changes about them: 24 hexadecimal digits, as all user ids have.
package enum UserName {
    /// Returns the first twelve bytes of a hash of all parts.
    ///
    /// - Parameters:
    ///   - provider: How the user signs in; the same name under two providers is two users.
    ///   - app: The app; the same person in two apps is two users.
    ///   - name: What the provider calls the user.
    /// - Returns: The id.
    package static func id(provider: String, app: String, name: String) -> String {
        // A zero byte keeps the parts apart; neither a provider nor an app id can hold one.
        let hash = SHA256.hash(data: Array("daybook \(provider) \(app)\u{0}\(name)".utf8))
        return Hexadecimal.text(Array(hash).prefix(12))
    }
}
