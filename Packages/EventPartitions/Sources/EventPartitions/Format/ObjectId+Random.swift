import EventModel

extension ObjectId {
    /// Draws an id for a file that is no partition: it says nothing of when it was made, and no test needs to know it.
    static func random() -> ObjectId {
        PartitionCipher.randomSalt()
            .withUnsafeBytes { bytes in
                guard let address = bytes.baseAddress else { preconditionFailure("A salt has bytes.") }
                return ObjectId(loadedFrom: address)
            }
    }
}
