#if !canImport(ObjectiveC)
/// Runs a closure, as on systems that release objects of Objective-C later; here nothing has to be released.
///
/// Programs write it around the work of a background thread. A realm that is opened inside is closed when its last
/// handle is gone, without it, too.
///
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@inlinable
public func autoreleasepool<Result, Failure: Error>(invoking body: () throws(Failure) -> Result) throws(Failure)
    -> Result
{
    try body()
}
#endif
