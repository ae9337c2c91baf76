import Foundation
import YonderModel

@testable import YonderLocation

/// What a receiver says in NMEA, and gpsd in JSON.
func fuzzReceiver(_ input: [UInt8]) throws(BrokenPromise) {
    try checkReceiver(NMEAReader.self, input)
    try checkReceiver(GPSDReader.self, input)
}

private func checkReceiver<Reader: ReceiverReader>(_: Reader.Type, _ input: [UInt8]) throws(BrokenPromise) {
    let now = Date(timeIntervalSince1970: 1_767_225_600)
    var whole = Reader()
    let outputs = whole.read(input, now: now) + whole.finish(isCut: false, now: now)
    for case .fix(let fix) in outputs {
        try check((-90...90).contains(fix.coordinate.latitude), "a fix lies on the Earth")
        try check((-180...180).contains(fix.coordinate.longitude), "a fix lies on the Earth")
        try check(fix.course.map { (0..<360).contains($0) } ?? true, "a course is in 0..<360")
        try check(fix.speed.map { $0 >= 0 && $0.isFinite } ?? true, "a speed is no less than 0")
        try check(fix.timestamp.timeIntervalSince1970.isFinite, "a time is one")
        // What is handed on has to fit the wire.
        let body = WireJSON.encode(LocationInfo(fix))
        try check(!body.isEmpty, "a fix can be told")
    }
    for case .heading(let heading) in outputs {
        try check((0..<360).contains(heading.degrees), "a heading is in 0..<360")
    }
    var pieces = Reader()
    var told: [ReceiverOutput] = []
    let step = input.count / 24 + 1
    for start in stride(from: 0, to: input.count, by: step) {
        told += pieces.read(input[start..<min(start + step, input.count)], now: now)
    }
    told += pieces.finish(isCut: false, now: now)
    try check(told == outputs, "in pieces the same is read as whole")
}
