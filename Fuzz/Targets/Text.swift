import Foundation
import YonderCrypto
import YonderModel
import YonderRules
import YonderWebSocket

@testable import YonderHTTP
@testable import YonderServer

/// A text as it stands in a request's line, in its fields or in a value.
func fuzzText(_ input: [UInt8]) throws(BrokenPromise) {
    let text = String(decoding: input, as: UTF8.self)
    try checkPath(text)
    try checkQuery(input, text)
    try checkHeaders(text)
    try checkSession(text)
    try checkAddress(text)
    try checkTime(text)
    try checkIds(text)
    try checkImage(text)
    try checkBase64(text)
}

/// No segment climbs out of a folder, and what is decoded is what was encoded.
private func checkPath(_ text: String) throws(BrokenPromise) {
    guard let segments = Router.segments(of: text) else { return }
    for segment in segments {
        let isPlain = !["", ".", ".."].contains(segment) && !segment.utf8.contains { $0 == 0 || $0 == 0x2F }
        try check(isPlain, "a segment is one name")
    }
    let path = segments.map { "/" + $0.utf8.map { String(format: "%%%02X", $0) }.joined() }.joined()
    try check(
        Router.segments(of: path.isEmpty ? "/" : path) == segments, "a path reads the same when escaped")
}

/// Where all escapes are some, a parameter is what Foundation decodes.
private func checkQuery(_ input: [UInt8], _ text: String) throws(BrokenPromise) {
    let decoded = input.withUnsafeBufferPointer(HTTPQuery.decode)
    guard String(validating: input, as: UTF8.self) != nil, let mirror = text.removingPercentEncoding else {
        return
    }
    try check(Array(decoded.utf8) == Array(mirror.utf8), "a parameter is what Foundation decodes")
}

/// A tag matches where it stands; tokens are found in lists; a key of 16 bytes is one.
private func checkHeaders(_ text: String) throws(BrokenPromise) {
    let tag = "\"c2hvcnQgdGV4dA\""
    let isNamed = text.contains("*") || text.replacing(" ", with: "").contains(tag)
    try check(isNamed || !PageFiles.matches(text, tag), "a tag matches only where it stands")
    try check(
        PageFiles.matches("W/\(tag) ,\(text.prefix { $0.isASCII })", tag), "a tag matches where it stands")
    let headers: HTTPHeaders = ["Connection": text, "connection": "close ,\tUPGRADE"]
    try check(headers.contains("upgrade", in: "CONNECTION"), "a token is found beside others")
    guard WebSocketHandshake.isValidKey(text) else { return }
    try check(Data(base64Encoded: text).map { $0.count == 16 } ?? true, "a key has 16 bytes")
    try check(WebSocketHandshake.accept(forKey: text).utf8.count == 28, "a key has an answer")
}

/// A session's cookie is found beside others, and no page of another site passes for the server's own.
private func checkSession(_ text: String) throws(BrokenPromise) {
    var head = HTTPRequestHead(method: "GET", path: "/", headers: ["Cookie": text])
    _ = SessionCookie.value(in: head)
    head.headers = ["Cookie": "a=b; \(SessionCookie.name)=\(text)"]
    if !text.isEmpty, !text.utf8.contains(UInt8(ascii: ";")), text.utf8.first != UInt8(ascii: "=") {
        try check(SessionCookie.value(in: head) == text, "a cookie is found beside others")
    }
    head.headers = ["Origin": text, "Host": "yonder.example"]
    let isOwn = (try? OriginCheck(publicURL: "https://yonder.example/x").requireOwn(head)) != nil
    try check(!isOwn || text.lowercased().hasSuffix("://yonder.example"), "another site is another")
}

/// An address has one spelling, and of a list of them the client is one that is in it.
private func checkAddress(_ text: String) throws(BrokenPromise) {
    if let address = IPAddress(text) {
        try check(IPAddress(address.description) == address, "an address reads the same when written")
    }
    guard let proxies = TrustedProxies("127.0.0.0/8, ::1") else { return }
    let peer = proxies.client(peer: "127.0.0.1", headers: ["X-Forwarded-For": text])
    try check(peer == "127.0.0.1" || IPAddress(peer) != nil, "a client has an address")
    let stranger = proxies.client(peer: "192.0.2.1", headers: ["X-Forwarded-For": text])
    try check(stranger == "192.0.2.1", "only a trusted proxy is believed")
}

/// A time reads the same when printed, by us and by Foundation.
private func checkTime(_ text: String) throws(BrokenPromise) {
    guard let time = Timestamp(rfc3339: text) else { return }
    let printed = time.rfc3339
    try check(Timestamp(rfc3339: printed) == time.asPrinted, "a time reads the same when printed")
    // Foundation changes calendars in 1582.
    guard printed > "1583", time == time.asPrinted else { return }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    try check((try? style.parse(printed)).map(Timestamp.init) == time, "Foundation reads a printed time")
}

extension Timestamp {
    /// The nearest moment of the years 0 to 9999: other years have no printed form.
    var asPrinted: Timestamp {
        Timestamp(milliseconds: min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999))
    }
}

/// An id goes into JSON, paths and logs as it is.
private func checkIds(_ text: String) throws(BrokenPromise) {
    let ids: [(any Identifier)?] = [UserId(text), DeviceId(text), MessageId(text), ChannelId(text)]
    for id in ids.compactMap(\.self) {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"\\/<>&?#%".utf8.contains($0) }
        try check(isPlain && (1...128).contains(text.utf8.count), "an id needs no escapes")
        try check(WireJSON.encode(id) == Array("\"\(text)\"".utf8), "an id is written as it is")
    }
    guard let channel = ChannelId(text) else { return }
    try check(ChannelId(type: channel.type, id: channel.id) == channel, "a channel's id has two parts")
}

/// A picture that is taken is one that browsers show.
private func checkImage(_ text: String) throws(BrokenPromise) {
    guard UserImage.problem(with: text) == nil else { return }
    let starts = ["png", "jpeg", "webp"].map { Array("data:image/\($0);base64,".utf8) }
    guard let start = starts.first(where: { text.utf8.starts(with: $0) }) else {
        throw BrokenPromise(description: "a picture was taken with another beginning")
    }
    let data = Data(base64Encoded: Data(text.utf8.dropFirst(start.count)))
    try check(data.map { $0.count <= UserImage.maxBytes } ?? false, "a picture is a small one")
}

private func checkBase64(_ text: String) throws(BrokenPromise) {
    guard let bytes = Base64URL.decode(text) else { return }
    try check(Base64URL.encode(bytes) == text, "no two texts give the same bytes")
}
