/// The pages of the console, as bytes inside the program.
///
/// A target of its own, so that a change of a page compiles nothing else anew.
public enum ConsoleFiles {
    /// One file.
    public struct File: Sendable {
        /// The bytes.
        public let bytes: [UInt8]
        /// What kind of file it is, as HTTP names it.
        public let mediaType: String
    }

    /// The name of the file that every address of the console begins with.
    public static let start = "index.html"

    /// All files by their names.
    public static let all: [String: File] = [
        "index.html": File(bytes: PackageResources.index_html, mediaType: "text/html; charset=utf-8"),
        "icon.svg": File(bytes: PackageResources.icon_svg, mediaType: "image/svg+xml"),
        "console.css": File(bytes: PackageResources.console_css, mediaType: "text/css; charset=utf-8"),
        "kept.css": File(bytes: PackageResources.kept_css, mediaType: "text/css; charset=utf-8"),
        "exports.css": File(bytes: PackageResources.exports_css, mediaType: "text/css; charset=utf-8"),
        "session.css": File(bytes: PackageResources.session_css, mediaType: "text/css; charset=utf-8"),
        "console.js": script(PackageResources.console_js),
        "alerts.js": script(PackageResources.alerts_js),
        "api.js": script(PackageResources.api_js),
        "changes.js": script(PackageResources.changes_js),
        "completeness.js": script(PackageResources.completeness_js),
        "devices.js": script(PackageResources.devices_js),
        "event.js": script(PackageResources.event_js),
        "exports.js": script(PackageResources.exports_js),
        "histogram.js": script(PackageResources.histogram_js),
        "links.js": script(PackageResources.links_js),
        "notes.js": script(PackageResources.notes_js),
        "keeping.js": script(PackageResources.keeping_js),
        "keeping-forms.js": script(PackageResources.keeping_forms_js),
        "pages.js": script(PackageResources.pages_js),
        "payload.js": script(PackageResources.payload_js),
        "proof.js": script(PackageResources.proof_js),
        "reconstruct.js": script(PackageResources.reconstruct_js),
        "reviews.js": script(PackageResources.reviews_js),
        "search.js": script(PackageResources.search_js),
        "session.js": script(PackageResources.session_js),
        "sign-in.js": script(PackageResources.sign_in_js),
        "subject.js": script(PackageResources.subject_js),
        "tallies.js": script(PackageResources.tallies_js),
        "timeline.js": script(PackageResources.timeline_js),
        "timeline-chart.js": script(PackageResources.timeline_chart_js),
        "unmask.js": script(PackageResources.unmask_js),
        "ui.js": script(PackageResources.ui_js),
        "views.js": script(PackageResources.views_js),
        "volume.js": script(PackageResources.volume_js),
        "words.js": script(PackageResources.words_js),
    ]

    private static func script(_ bytes: [UInt8]) -> File {
        File(bytes: bytes, mediaType: "text/javascript; charset=utf-8")
    }
}
