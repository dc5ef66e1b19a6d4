#if canImport(Security)
import Foundation
import Security
import Synchronization

/// The item of the key chain that keeps who is logged in, on Apple's systems.
///
/// One item holds all users of an app, so that it is replaced as a whole, as the file is.
final class AccountKeychain: AccountVault {
    /// The folder of the app: two apps with one id on two servers have folders of their own.
    private let account: String
    private let accessGroup: String?
    /// Orders the writes, so that an older list never replaces a newer one.
    private let writing = Mutex<Void>(())

    init(account: String, accessGroup: String?) {
        self.account = account
        self.accessGroup = accessGroup
    }

    func load() throws(SyncTransportError) -> Accounts? {
        var query = item
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        switch status {
        case errSecItemNotFound: return nil
        case errSecSuccess: break
        default: throw .accountsUnreadable(reason: "the key chain answered with status \(status)")
        }
        guard let data = found as? Data else {
            throw .accountsUnreadable(reason: "the item of the key chain holds no data")
        }
        do {
            return try JSONDecoder().decode(Accounts.self, from: data)
        } catch {
            throw .accountsUnreadable(reason: "the item of the key chain is damaged")
        }
    }

    func save(_ accounts: () -> Accounts) throws(SyncTransportError) {
        let status: OSStatus
        do {
            status = try writing.withLock { _ in
                let data = try JSONEncoder().encode(accounts())
                let values: [CFString: Any] = [
                    kSecValueData: data,
                    // Uploads go on while the device is locked; the item never leaves the device.
                    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                ]
                let status = SecItemUpdate(item as CFDictionary, values as CFDictionary)
                guard status == errSecItemNotFound else { return status }
                return SecItemAdd(item.merging(values) { $1 } as CFDictionary, nil)
            }
        } catch {
            throw .accountsNotSaved(reason: "they cannot be written as JSON")
        }
        guard status == errSecSuccess else {
            throw .accountsNotSaved(reason: "the key chain answered with status \(status)")
        }
    }

    /// What finds the item.
    private var item: [CFString: Any] {
        var item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: "daybook.accounts",
            kSecAttrAccount: account,
            kSecUseDataProtectionKeychain: true,
        ]
        if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
        return item
    }
}
#endif
