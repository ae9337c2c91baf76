/// What `--source` names: where this machine's location comes from.
enum ReceiverOption {
    /// A recorded way, to be replayed.
    case track(path: String)
    case receiver(Receiver)

    static let form =
        "gpsd, gpsd:HOST:PORT, geoclue, nmea:PATH (a serial device or a pipe) or gpx:PATH (replayed)"

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        switch (parts[0], parts.count > 1 ? parts[1] : nil) {
        case ("gpsd", nil): self = .receiver(.gpsd())
        case ("gpsd", let address?):
            let ends = address.split(separator: ":", omittingEmptySubsequences: false)
            guard ends.count == 2, !ends[0].isEmpty, let port = Int(ends[1]), (1...65_535).contains(port)
            else {
                return nil
            }
            self = .receiver(.gpsd(host: String(ends[0]), port: port))
        #if os(Linux)
            case ("geoclue", nil): self = .receiver(.geoClue)
        #endif
        case ("nmea", let path?) where !path.isEmpty: self = .receiver(.nmea(path: path))
        case ("gpx", let path?) where !path.isEmpty: self = .track(path: path)
        default: return nil
        }
    }
}
