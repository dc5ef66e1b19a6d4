import ChangeModel
import ChangeModelTesting
import EventModel
import EventProofs
import SyncServer

extension ChangeStoreConformance {
    func binding() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        let nobody = try await store.status(of: .sample())
        rules.expect(nobody == nil, "a realm is not there before a file is bound to it")
        var file = try await SampleRealmFile(in: store)
        let other = try await SampleRealmFile(in: store, user: "bb")
        rules.expect([file.bound.file, other.bound.file] == [1, 2], "files are numbered from 1 in each realm")
        rules.expect(file.bound.salt?.count == BoundFile.saltBytes, "a new file gets a salt of 32 bytes")
        rules.expect(file.bound.salt != other.bound.salt, "no two files have one salt")
        rules.expect(file.bound.realm.history == other.bound.realm.history, "the files of a realm have one history")
        rules.expect(file.bound.realm.head == 0, "a new realm has no entries")

        let upload = try file.upload([[ObjectAddress.sample().create()]])
        _ = await store.take([upload], in: .sample(), received: .sample)
        let again = try await store.bind(binding(file, file.claim), to: .sample())
        rules.expect(again.file == 1 && again.salt == nil, "a known file keeps its number and is told no salt")
        rules.expect(again.acknowledged == 1 && again.realm.head == 1, "a known file is told what was taken")
        try await badClaims(file, other, in: store, rules)
        return rules.broken
    }

    private func badClaims(
        _ file: SampleRealmFile,
        _ other: SampleRealmFile,
        in store: any ChangeStore,
        _ rules: Rules
    ) async throws {
        let claim = file.claim
        let bad: [(String, FileClaim.Known)] = [
            ("another salt is refused", claim.with(salt: [UInt8](repeating: 7, count: 32))),
            ("no salt is refused", claim.with(salt: [])),
            ("the salt of another file is refused", claim.with(salt: other.bound.salt)),
            ("a file that was never bound is refused", claim.with(file: 99)),
        ]
        for (rule, claim) in bad {
            await rules.expect(rule, throws: .unknownFile) {
                try await store.bind(binding(file, claim), to: .sample())
            }
        }
        await rules.expect("a file of another realm is refused", throws: .unknownFile) {
            try await store.bind(binding(file, claim), to: .sample("s_ward-2"))
        }
        let made = try await store.status(of: .sample("s_ward-2"))
        rules.expect(made == nil, "a refused file makes no realm")
        await rules.expect("the file of another user is refused", throws: .foreignFile) {
            try await store.bind(
                FileClaim(user: "bb", deviceKey: file.deviceKey, claim: claim),
                to: .sample()
            )
        }
        await rules.expect("the file of another device is refused", throws: .foreignFile) {
            try await store.bind(
                FileClaim(user: file.user, deviceKey: other.deviceKey, claim: claim),
                to: .sample()
            )
        }
        await rules.expect("a file of another history is refused", throws: .historyChanged) {
            let claim = claim.with(history: [UInt8](repeating: 1, count: RealmStatus.historyBytes))
            return try await store.bind(binding(file, claim), to: .sample())
        }
        await rules.expect("a copy that is behind its original is refused", throws: .fileInUse) {
            try await store.bind(binding(file, claim.with(lastChange: 0)), to: .sample())
        }
    }

    /// A device may sign with P-256 beside one that signs with Ed25519, and neither in the place of the other.
    func keys() async throws -> [String] {
        let rules = Rules()
        let store = try await make()
        var edwards = try await SampleRealmFile(in: store)
        var curve = try await SampleRealmFile(in: store, user: "bb", key: DeviceKey(.p256))
        rules.expect(curve.deviceKey.count == 33, "a key of P-256 has 33 bytes")
        let person = ObjectAddress.sample()
        let stolen = [
            try edwards.signed(ChangeBatch(file: curve.bound.file, changes: [.sample()])),
            try curve.signed(ChangeBatch(file: edwards.bound.file, changes: [.sample()])),
        ]
        let refused = await store.take(
            [try ChangeUpload(stolen[0], user: "bb"), try ChangeUpload(stolen[1], user: "aa")],
            in: .sample(),
            received: .sample
        )
        rules.expect(
            refused == [.failure(.forged), .failure(.forged)],
            "the signature of another algorithm is refused"
        )
        for number in 0..<8 {
            let upload = try curve.upload([[number == 0 ? person.create() : person.set("name", "b")]], base: number)
            let outcome = await store.take([upload], in: .sample(), received: .sample)
            _ = rules.taken("what was signed with P-256 is taken", outcome.first)
        }
        let again = try await store.bind(binding(curve, curve.claim), to: .sample())
        rules.expect(again.acknowledged == 8, "a file with a key of P-256 is known again")
        await rules.expect("the file of a device of another algorithm is refused", throws: .foreignFile) {
            let claim = FileClaim(user: "bb", deviceKey: edwards.deviceKey, claim: curve.claim)
            return try await store.bind(claim, to: .sample())
        }
        await rules.expect("a key that lacks its first byte is another one", throws: .foreignFile) {
            let cut = Array(curve.deviceKey.dropFirst())
            return try await store.bind(FileClaim(user: "bb", deviceKey: cut, claim: curve.claim), to: .sample())
        }
        let upload = try edwards.upload([[person.set("name", "c")]], base: 8)
        let outcome = await store.take([upload], in: .sample(), received: .sample)
        _ = rules.taken("what was signed with Ed25519 is taken beside it", outcome.first)
        return rules.broken
    }

    private func binding(_ file: SampleRealmFile, _ claim: FileClaim.Known) -> FileClaim {
        FileClaim(user: file.user, deviceKey: file.deviceKey, claim: claim)
    }
}

extension FileClaim.Known {
    fileprivate func with(
        file: UInt32? = nil,
        salt: [UInt8]? = nil,
        history: [UInt8]? = nil,
        lastChange: Int? = nil
    ) -> FileClaim.Known {
        FileClaim.Known(
            file: file ?? self.file,
            salt: salt ?? self.salt,
            history: history ?? self.history,
            lastChange: lastChange ?? self.lastChange
        )
    }
}
