// What stands in for Combine: the same names and rules, made again by others.
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
@_exported public import OpenCombineFoundation
