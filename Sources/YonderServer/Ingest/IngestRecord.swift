package import YonderModel

/// A phone app whose requests are understood, by the last part of its address.
package enum IngestApp: String, CaseIterable, Sendable {
    case owntracks, overland, osmand, gpslogger

    /// How people know it.
    package var title: String {
        switch self {
        case .owntracks: "OwnTracks"
        case .overland: "Overland"
        case .osmand: "OsmAnd or Traccar Client"
        case .gpslogger: "GPSLogger"
        }
    }
}

/// Why a record moves nothing and never could.
package enum IngestRefusal: String, CaseIterable, Sendable {
    /// There was nothing in it.
    case empty
    /// Something else than where the phone is: a waypoint, a card, the app's farewell.
    case notAFix = "not_a_fix"
    /// 0, 0 without an accuracy: what apps send that know no position.
    case noFix = "no_fix"
    /// It lacks what a record of this app has.
    case malformed
    /// A latitude or longitude out of its range.
    case badPosition = "bad_position"
    /// A time that is none; where there is no time at all, the arrival counts.
    case badTime = "bad_time"
    /// Encrypted with another passphrase, or with none that is known here.
    case undecipherable

    /// Whether an app that works as it should sends no such thing.
    package var isWrong: Bool {
        switch self {
        case .empty, .notAFix, .noFix: false
        case .malformed, .badPosition, .badTime, .undecipherable: true
        }
    }

    /// The reason for people.
    package var words: String {
        switch self {
        case .empty: "there is nothing in it"
        case .notAFix: "it says something else than where the phone is"
        case .noFix: "0, 0 without an accuracy: the app knows no position"
        case .malformed: "it lacks what a record of this app has"
        case .badPosition: "a latitude or longitude out of its range"
        case .badTime: "its time is none"
        case .undecipherable: "it is encrypted with another passphrase, or with none that is known"
        }
    }
}

/// One record of an app: a fix, or why it is none.
package enum IngestRecord: Hashable, Sendable {
    case fix(FixReport)
    case refused(IngestRefusal)

    /// Why it is no fix; `nil` where it is one.
    package var refusal: IngestRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

/// A request of an app, read.
package struct IngestBody: Hashable, Sendable {
    package var records: [IngestRecord]
    /// Whether it came encrypted, and could be read: then the answer is encrypted, too.
    package var isEncrypted = false

    /// The fixes among the records.
    package var fixes: [FixReport] {
        records.compactMap { if case .fix(let report) = $0 { report } else { nil } }
    }
}
