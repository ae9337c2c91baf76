import Foundation
import YonderLocation

// The code of Simulate.md, block by block, word for word.

private func replay(file: URL) throws {
    // begin
    let document = try TrackReader.read(contentsOf: file)
    guard let track = document.tracks.first(where: { $0.pointCount > 0 }) else { return }
    let provider = LocationProvider(source: ReplaySource(track, speed: 10))
    provider.startMonitoringLocation()
    // end
}

private func test(berlin: Coordinate) {
    // begin
    let source = ManualSource(authorization: .notDetermined)
    let provider = LocationProvider(source: source)
    provider.startMonitoringLocation()
    source.setAuthorization(.authorizedWhenInUse)
    source.send(Fix(coordinate: berlin, horizontalAccuracy: 5, timestamp: .now))
    source.fail(.positionUnavailable)
    // end
}

private func serial() {
    // begin
    let provider = LocationProvider(source: NMEASource(path: "/dev/ttyUSB0", baud: 9_600))
    // end
    provider.startMonitoringLocation()
}
