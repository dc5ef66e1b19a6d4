@_exported public import EventModel
