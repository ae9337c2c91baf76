import YonderModel
import YonderRules

@testable import YonderServer

/// Bodies of requests: each is read, or refused with what is wrong with it.
func fuzzBody(_ input: [UInt8]) throws(BrokenPromise) {
    let message = try body(MessageBody.self, input)
    let channel = try body(ChannelBody.self, input)
    let change = try body(ChannelChangeBody.self, input)
    let share = try body(ShareChangeBody.self, input)
    let command = try body(WatchingCommand.self, input)
    let isJSON = [message.isJSON, channel.isJSON, change.isJSON, share.isJSON, command.isJSON]
    try check(Set(isJSON).count == 1, "all bodies agree on what is JSON")
    if String(validating: input, as: UTF8.self) != nil {
        try checkIsJSON(input, taken: message.isJSON)
    } else {
        try check(!message.isJSON, "a body is UTF-8")
    }
    if let body = message.value { try checkDraft(body) }
}

/// A message that is taken can be compared with its retry, whatever it says.
private func checkDraft(_ body: MessageBody) throws(BrokenPromise) {
    let now = Timestamp(milliseconds: 1_796_040_000_000)
    do {
        let draft = try MessageDraft(body, now: now)
        let identity = MessageIdentity(draft, author: UserId("anna")!, channel: ChannelId("messaging:a")!)
        try check(!WireJSON.encode(identity).isEmpty, "a draft can be told from another")
        _ = draft.correction.measured(draft.location?.recordedAt, arrival: now)
        _ = draft.location?.endAt.map(draft.correction.corrected)
    } catch let error as WireError {
        try check(error.field != nil, "a wrong message names its field")
    } catch let error as BrokenPromise {
        throw error
    } catch {
        throw BrokenPromise(description: "another error: \(error)")
    }
}

private func body<T: Decodable>(
    _ type: T.Type, _ input: [UInt8]
) throws(BrokenPromise) -> (value: T?, isJSON: Bool) {
    do {
        return (try WireJSON.decode(type, from: input), true)
    } catch {
        let isJSON = error.code != .invalidJSON
        let isNamed = error.code == .invalidArgument && error.field != nil
        try check(isNamed || !isJSON, "what is wrong with a body is named")
        return (nil, isJSON)
    }
}
