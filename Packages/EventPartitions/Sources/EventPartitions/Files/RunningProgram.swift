#if canImport(Darwin)
import Foundation
#else
import Glibc
#endif

/// The program that runs.
public enum RunningProgram {
    /// Differs between two versions of a program, as far as can be found out.
    ///
    /// The version and build of an app on Apple's systems, else the size and the time of the executable file; empty when neither is
    /// known. Names no path.
    public static let identity: String = {
        #if canImport(Darwin)
        let info = Bundle.main.infoDictionary ?? [:]
        let words = ["CFBundleShortVersionString", "CFBundleVersion"].compactMap { info[$0] as? String }
        return words.joined(separator: " ")
        #else
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return "" }
        return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        #endif
    }()
}
