@_exported public import EventModel
@_exported public import Geospatial
