// One import gives an app everything, as `import RealmSwift` did; models use Date, Data and UUID without another one.
@_exported public import EventDestinations
@_exported public import EventModel
@_exported public import EventPartitions
@_exported public import EventRecording
@_exported public import EventSerialization
@_exported public import Foundation
@_exported public import ObjectStore
@_exported public import ObservableRealms
@_exported public import RealmSync
@_exported public import SyncTransport

/// One property to order by: the type of that name of this library, where Foundation, which is handed on as well, has one, too.
///
/// A file that imports Foundation by itself says `Daybook.SortDescriptor` in types, as it said `RealmSwift.SortDescriptor`.
public typealias SortDescriptor = ObjectStore.SortDescriptor
