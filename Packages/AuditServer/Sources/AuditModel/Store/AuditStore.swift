/// Everything that one engine keeps: what is handed over where the server is put together, and nowhere else.
///
/// Whoever does one thing with events asks for the seam of that thing.
public typealias AuditStore = EventIngest & EventReading & EventCollections & PartitionProving & SealLog & EventKeeping
