/// What a GPX file held: its tracks, and what of it could not be used.
public struct GPXDocument: Hashable, Sendable {
    /// The tracks in the file's order, also those without points; the routes where there is no track.
    public var tracks: [Track] = []
    /// What was skipped and where, in no particular order; at most ``maxIssues``.
    public var issues: [GPXIssue] = []
    /// How many more there were.
    public var unlistedIssues = 0

    /// Most issues that are listed.
    public static let maxIssues = 1_000

    mutating func report(_ kind: GPXIssue.Kind, line: Int) {
        if issues.count < Self.maxIssues {
            issues.append(GPXIssue(line: line, kind: kind))
        } else {
            unlistedIssues += 1
        }
    }
}

/// Something in a GPX file that was skipped.
public struct GPXIssue: Hashable, Sendable, CustomStringConvertible {
    /// What was skipped.
    public enum Kind: String, Hashable, Sendable {
        case missingLatitude = "point without a latitude, skipped"
        case badLatitude = "point with a latitude that is no number in -90...90, skipped"
        case missingLongitude = "point without a longitude, skipped"
        case badLongitude = "point with a longitude that is no number in -180...180, skipped"
        case outsideSegment = "point outside of a track's segment, skipped"
        case badTime = "time that cannot be read, skipped"
        case timeOutOfOrder = "time that does not go on from the others, skipped"
        case timesDoNotAdvance = "track whose times do not advance, read without times"
        case badElevation = "elevation that is no number, skipped"
    }

    /// The line in the file, from 1, at which the element's start tag ends.
    public let line: Int
    /// What was skipped.
    public let kind: Kind

    public var description: String { "line \(line): \(kind.rawValue)" }
}
