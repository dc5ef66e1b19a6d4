extension PayloadScan {
    /// Counts the objects that the payload lists; what was found before the bytes turn out to be malformed counts.
    package mutating func counts() -> PayloadCounts {
        var counts = PayloadCounts()
        do throws(JSONBytes.Malformed) {
            try count(into: &counts)
        } catch {
            // A payload may be any text; what is no JSON lists no further objects.
        }
        return counts
    }

    private mutating func count(into counts: inout PayloadCounts) throws(JSONBytes.Malformed) {
        let members = try members()
        if members.contains(where: { $0.key == "type" }), let value = members.first(where: { $0.key == "value" }) {
            json.move(to: value.position)
            counts.read = try elementCount()
            return
        }
        for member in members {
            json.move(to: member.position)
            guard json.peek() == 0x7B else { continue }
            for list in try self.members() {
                json.move(to: list.position)
                switch list.key {
                case "insertions": counts.inserted += try elementCount()
                case "modifications": counts.modified += try elementCount()
                case "deletions": counts.deleted += try elementCount()
                default: break
                }
            }
        }
    }

    private mutating func elementCount() throws(JSONBytes.Malformed) -> Int {
        json.peek() == 0x5B ? try elements().count : 0
    }
}
