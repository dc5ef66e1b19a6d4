// SwiftUI shows an object's publisher and Foundation to those who import it, as this stand-in does.
@_exported public import Combine
@_exported public import Foundation
