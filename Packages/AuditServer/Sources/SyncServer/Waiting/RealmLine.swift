import AuditAdmission

/// The uploads that wait for one realm: one of a file at a time, and each user in turn.
///
/// Pure: the owner does what it says.
struct RealmLine<Upload> {
    /// What happens to an upload that comes.
    enum Entrance {
        /// It waits.
        case waits
        /// It is stored now, by itself.
        case isStored
        /// It has to go: another one of its file is under way, or all places are taken.
        case isRefused
        /// It waits, and who came last of those that have the most places has to go.
        case displaces(Upload)
    }

    /// One upload with what the order depends on.
    private struct Place {
        let upload: Upload
        let file: UInt32
        let bytes: Int
    }

    private let limits: RealmQueue.Limits
    private var line: FairLine<Place>
    private var isStoring = false
    /// The files of which an upload waits or is being stored.
    private var files: Set<UInt32> = []

    init(_ limits: RealmQueue.Limits) {
        self.limits = limits
        line = FairLine(maximum: limits.waiting)
    }

    /// Lets an upload in.
    ///
    /// - Complexity: O(*n*) in those who wait.
    mutating func enter(_ upload: Upload, of file: UInt32, _ user: String, bytes: Int) -> Entrance {
        guard files.insert(file).inserted else { return .isRefused }
        guard isStoring else {
            isStoring = true
            return .isStored
        }
        guard let displaced = line.enter(Place(upload: upload, file: file, bytes: bytes), from: user) else {
            return .waits
        }
        files.remove(displaced.file)
        return displaced.file == file ? .isRefused : .displaces(displaced.upload)
    }

    /// Ends what is being stored, and returns what is stored next: none when nobody waits.
    mutating func next(after stored: [UInt32]) -> [Upload] {
        files.subtract(stored)
        var group: [Upload] = []
        var bytes = 0
        // The size of the next one is known only when it is out of the line: so the last one may go over the limit.
        while group.count < limits.groupUploads, bytes < limits.groupBytes, let place = line.next() {
            group.append(place.upload)
            bytes += place.bytes
        }
        isStoring = !group.isEmpty
        return group
    }
}
