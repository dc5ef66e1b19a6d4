import Testing

// The numbers of the scenarios that these tests show; SCENARIOS.md lists them all.
extension Tag {
    @Tag static var scenario59: Self
    @Tag static var scenario60: Self
    @Tag static var scenario66: Self
    @Tag static var scenario67: Self
    @Tag static var scenario68: Self
    @Tag static var scenario69: Self
    @Tag static var scenario72: Self
    @Tag static var scenario74: Self
    @Tag static var scenario95: Self
}
