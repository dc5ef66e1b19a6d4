import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file that keeps who is logged in, mode 0600, replaced as a whole.
///
/// One process at a time should change the accounts of an app: the last one that writes wins.
final class AccountFile: AccountVault {
    private let file: OwnerFile
    /// Orders the writes, so that an older list never replaces a newer one.
    private let writing = Mutex<Void>(())

    init(path: String) {
        file = OwnerFile(path: path)
    }

    /// Reads the accounts.
    ///
    /// - Returns: nil when there is no file.
    /// - Throws: ``SyncTransportError/accountsUnreadable(reason:)``; a damaged file was renamed to `….damaged`.
    func load() throws(SyncTransportError) -> Accounts? {
        let bytes: [UInt8]?
        do {
            bytes = try file.read()
        } catch {
            throw .accountsUnreadable(reason: error.text)
        }
        guard let bytes else { return nil }
        do {
            return try JSONDecoder().decode(Accounts.self, from: Data(bytes))
        } catch {
            do {
                try file.rename(to: "\(file.path).damaged")
            } catch {
                throw .accountsUnreadable(reason: "the file is damaged and cannot be renamed, \(error.text)")
            }
            throw .accountsUnreadable(reason: "the file is damaged")
        }
    }

    /// Writes what the closure returns, and returns when it is on the disk.
    ///
    /// - Throws: ``SyncTransportError/accountsNotSaved(reason:)``; the former file is whole then.
    func save(_ accounts: () -> Accounts) throws(SyncTransportError) {
        do {
            try writing.withLock { _ in
                try file.replace(with: Array(JSONEncoder().encode(accounts())))
            }
        } catch let failure as OwnerFile.Failure {
            throw .accountsNotSaved(reason: failure.text)
        } catch {
            throw .accountsNotSaved(reason: "they cannot be written as JSON")
        }
    }
}
