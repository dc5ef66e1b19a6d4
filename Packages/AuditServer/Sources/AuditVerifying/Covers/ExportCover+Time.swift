import AuditModel
import EventModel
import EventProofs
import TimeStamping

extension ExportCover {
    /// How many of the partitions were in the log when it was time-stamped.
    private var stampedPartitions: UInt64 {
        guard let size = stamp?.signed.checkpoint.size else { return 0 }
        return UInt64(facts.entries.count { $0 < size })
    }

    /// What the time-stamp says; nothing in an export without one.
    var time: [String] {
        guard let stamp else { return [] }
        let name = stamp.token.claimedAuthority
        return [
            "<strong>Time-stamp.</strong> Somebody who runs nothing of this, and keeps the time for others"
                + (name.isEmpty ? "" : ", by the name \(Self.text(name))")
                + ", has signed that this log was there before \(Self.time(stamp.token.claimedLatest)). It had "
                + "\(Self.count(stamp.signed.checkpoint.size, "entry", "entries")) then, and \(stampedPartitions) of the "
                + "\(facts.partitionCount) partitions are among them. So what these hold existed before that time, whatever the clocks "
                + "of the server and of the devices said. Whether it is who it says shows when the time-stamp is checked with the "
                + "authority's root certificate, which you have from elsewhere."
        ]
    }

    /// What no time-stamp says; nothing before version 3, whose page did not speak of it.
    var untimed: [String] {
        guard manifest.version > 2, manifest.isSigned else { return [] }
        guard stamp != nil else {
            return [
                "That anything here existed before a certain time: no authority of time has signed the log in this export."
            ]
        }
        let rest = facts.partitionCount - min(stampedPartitions, facts.partitionCount)
        guard rest > 0 else { return [] }
        return [
            "Of \(Self.count(rest, "partition", "partitions")) that it existed before the time of the time-stamp: it is open, or came "
                + "into the log later."
        ]
    }

    /// How to check the time-stamp; the step of an export without one says nothing of it.
    var timeSteps: [String] {
        guard stamp != nil else { return [] }
        return [
            "The time-stamp alone, with OpenSSL and the root certificates of the authority, which you get from the authority: "
                + "<code>openssl ts -verify -in \(ExportManifest.stampName) -data \(ExportManifest.stampedName) -CAfile ROOTS.pem</code>. "
                + "It answers <code>Verification: OK</code>, and <code>openssl ts -reply -in \(ExportManifest.stampName) -text</code> shows "
                + "the time. That the log of the time-stamp is the one of the checkpoint is checked by both programs above."
        ]
    }
}
