extension QueryFunctions {
    /// Returns the SQL that adds integers and wraps around on overflow; it mentions the expression three times.
    ///
    /// SQLite's own sum fails when it overflows. Those of the halves do not, and wrap around when they are put together.
    /// The values of the expression are integers or NULL.
    package static func wrappingSum(_ expression: String) -> String {
        let high = "sum(\(expression) >> 32)"
        let low = "sum(\(expression) & 4294967295)"
        return "(((\(high) + (\(low) >> 32)) << 32) | (\(low) & 4294967295))"
    }
}
