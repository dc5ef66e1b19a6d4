/// Where the tokens of an app's users are kept between runs of the program.
public enum CredentialStorage: Sendable, Hashable {
    /// In `<root>/mongodb-realm/<app id>/accounts.json`, which its owner alone can read.
    case file
    #if canImport(Security)
    /// In the system's key chain, not in backups, readable after the first unlock of the device.
    ///
    /// An access group lets the programs of one team share the users; nil, as most programs need it, is the program's own.
    /// On macOS the program must be signed with an entitlement for key chain access.
    case keychain(accessGroup: String? = nil)
    #endif

    func vault(of app: String, in folder: AppFolder) -> any AccountVault {
        switch self {
        case .file: AccountFile(path: folder.accounts)
        #if canImport(Security)
        case .keychain(let accessGroup): AccountKeychain(account: folder.path, accessGroup: accessGroup)
        #endif
        }
    }
}
