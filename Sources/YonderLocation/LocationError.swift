import Foundation

/// Why a location could not be had. Never holds a position.
public struct LocationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, to switch over; more may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind: String {
            case denied, restricted, servicesDisabled, timeout, positionUnavailable, outdated, sourceFailed
            case cancelled
            case fileUnreadable, fileTooLarge, malformedTrack, noTrack
        }

        private let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// The user does not allow it.
        public static let denied = Code(.denied)
        /// A policy does not allow it.
        public static let restricted = Code(.restricted)
        /// Location is switched off on this device.
        public static let servicesDisabled = Code(.servicesDisabled)
        /// No good enough location came in time.
        public static let timeout = Code(.timeout)
        /// There is none for the moment; it may come back.
        public static let positionUnavailable = Code(.positionUnavailable)
        /// Those that came are too old to say where the device is now, as a recording's are.
        public static let outdated = Code(.outdated)
        /// The source does not work: ``LocationError/underlying`` says why, where that is known.
        public static let sourceFailed = Code(.sourceFailed)
        /// Whoever asked has given up.
        public static let cancelled = Code(.cancelled)
        /// The file cannot be opened or read.
        public static let fileUnreadable = Code(.fileUnreadable)
        /// The file is larger than 64 MiB.
        public static let fileTooLarge = Code(.fileTooLarge)
        /// The file is no GPX that can be read; the error's line and column say where.
        public static let malformedTrack = Code(.malformedTrack)
        /// There is no track with a point to replay.
        public static let noTrack = Code(.noTrack)

        var word: String { kind.rawValue }
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for people.
    public let message: String
    /// The line in the file, from 1; `nil` where no place can be named.
    public let line: Int?
    /// The column in that line, from 1; `nil` where no place can be named.
    public let column: Int?
    /// What the source itself said; counts for nothing when two errors are compared.
    public let underlying: (any Error)?

    init(
        _ code: Code, _ message: String, line: Int? = nil, column: Int? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.underlying = underlying
    }

    /// The message with its place: `line 3, column 7: not well-formed XML`.
    public var description: String {
        guard let line else { return message }
        let place = column.map { "line \(line), column \($0)" } ?? "line \(line)"
        return "\(place): \(message)"
    }

    public static func == (a: LocationError, b: LocationError) -> Bool {
        (a.code, a.message, a.line, a.column) == (b.code, b.message, b.line, b.column)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(line)
        hasher.combine(column)
    }

    /// Whether it ends a request at once: nothing but the user, or another source, can help.
    var isFinal: Bool {
        switch code {
        case .denied, .restricted, .servicesDisabled: true
        default: false
        }
    }
}

extension LocationError {
    static let denied = LocationError(
        .denied, "the location is not allowed; allow it in the settings of this device")
    static let restricted = LocationError(.restricted, "the location is not allowed on this device")
    static let servicesDisabled = LocationError(.servicesDisabled, "location is switched off on this device")
    static let timeout = LocationError(.timeout, "no location came in time")
    static let positionUnavailable = LocationError(
        .positionUnavailable, "the device does not know where it is for the moment")
    static let endedWithout = LocationError(
        .positionUnavailable, "it has ended and has not said where it is")
    static func outdated(newest: Date) -> LocationError {
        LocationError(.outdated, "the newest one is of \(newest.formatted(.iso8601)), too long ago")
    }
    static let cancelled = LocationError(.cancelled, "the location is not asked for any more")
}
