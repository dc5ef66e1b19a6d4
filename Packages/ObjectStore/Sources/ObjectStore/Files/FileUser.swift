import Synchronization

/// Counts a connection as a user of its file for as long as it lives.
final class FileUser: Sendable {
    private let file: FileCoordinator

    /// Begins to count.
    init(_ file: FileCoordinator) {
        self.file = file
        file.userCount.add(1, ordering: .acquiringAndReleasing)
    }

    deinit { file.userCount.subtract(1, ordering: .acquiringAndReleasing) }
}
