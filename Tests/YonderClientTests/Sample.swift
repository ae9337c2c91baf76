import YonderModel
import YonderRules

/// JSON as a server sends it.
enum Sample {
    static let token = "e30.eyJzdWIiOiJhbm5hIn0.x"
    static let user = #"{"id":"anna","name":"Anna","role":"user","created_at":"2026-01-01T00:00:00.000Z"}"#

    /// When every live share ends: the same in each telling.
    static let end = Timestamp.now.advanced(bySeconds: 3600)

    static func location(
        _ id: String = "m1", user: String = "anna", device: String = "phone", active: Bool = true
    ) -> String {
        let end = end.rfc3339
        let ended = active ? "" : #""ended_at":"2026-01-01T00:00:01.000Z","ended_reason":"stopped","#
        return """
            {"message_id":"\(id)","channel_id":"messaging:berlin","user_id":"\(user)","device_id":"\(device)",\
            "fed_by":"\(device)","latitude":1,"longitude":2,"recorded_at":"2026-01-01T00:00:00.000Z",\
            "created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z",\
            "end_at":"\(end)",\(ended)"active":\(active),"precision":"exact"}
            """
    }

    static func share(
        _ id: String = "m1", user: String = "anna", device: String = "phone", active: Bool = true
    ) -> SharedLocation {
        try! WireJSON.decode(
            SharedLocation.self, from: Array(location(id, user: user, device: device, active: active).utf8))
    }

    static func message(_ id: String, text: String = "", location: String? = nil) -> String {
        let shared = location.map { #","shared_location":\#($0)"# } ?? ""
        return """
            {"id":"\(id)","channel_id":"messaging:berlin","user":\(user),"text":"\(text)","reply_count":0,\
            "created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z"\(shared)}
            """
    }

    static let channel = """
        {"id":"messaging:berlin","type":"messaging","name":"Berlin","created_by":"anna","member_count":1,\
        "config":{"shared_locations":true,"max_live_seconds":28800,"replies":true},\
        "capabilities":["send-message"],"active_live_locations":[],"seq":3,\
        "created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z"}
        """

    static func hello(at time: Timestamp = .now) -> String {
        """
        {"event":"hello","connection_id":"c","user":\(user),"server_time":"\(time.rfc3339)",\
        "heartbeat_seconds":25}
        """
    }

    static func state(_ seq: Int) -> String {
        #"{"event":"channel.state","channel_id":"messaging:berlin","seq":\#(seq),"active_live_locations":[]}"#
    }

    static func messageNew(_ seq: Int) -> String {
        #"{"event":"message.new","channel_id":"messaging:berlin","seq":\#(seq),"message":\#(message("m\(seq)"))}"#
    }
}
