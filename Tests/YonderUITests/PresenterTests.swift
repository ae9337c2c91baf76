import Foundation
import Testing
import YonderLocation
import YonderModel

@testable import YonderUI

/// The table of cases, which the page's tests read, too.
struct LocationCase: Decodable, CustomTestStringConvertible, Sendable {
    let kind, headline, detail: String
    let isMine, showsStop, showsStatus, showsAvatar, pulses, showsSnapshot: Bool
    let banner: String?

    var testDescription: String { "\(kind), \(isMine ? "mine" : "another's")" }

    static let all: [LocationCase] = {
        struct Table: Decodable { let rows: [LocationCase] }
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Cases/locations.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            return try decoder.decode(Table.self, from: Data(contentsOf: file)).rows
        } catch {
            preconditionFailure("the table of cases cannot be read: \(error)")
        }
    }()
}

struct PresenterTests {
    @Test func `the table has every case`() {
        #expect(LocationCase.all.count == 12)
        #expect(Set(LocationCase.all.map(\.testDescription)).count == 12)
    }

    @Test(arguments: LocationCase.all, ["phone", "tablet"])
    func `bubbles show what the table says, from whichever device`(_ row: LocationCase, _ device: String) {
        let viewing = Viewing(isMine: row.isMine, author: "Ada", now: Samples.now, words: Samples.english)
        let bubble = LocationBubble(Samples.location(row.kind, device: device), for: viewing)
        #expect(bubble.headline == row.headline)
        #expect(bubble.detail == row.detail)
        #expect(bubble.showsStop == row.showsStop)
        #expect(bubble.showsStatus == row.showsStatus)
        #expect(bubble.showsAvatar == row.showsAvatar)
        #expect(bubble.pulses == row.pulses)
        #expect(bubble.showsSnapshot == row.showsSnapshot && bubble.opensMap == row.showsSnapshot)
        #expect(!(bubble.showsStop && bubble.showsStatus))
        #expect(bubble.accessibilityLabel.contains(row.isMine ? "You" : "Ada"))
        #expect(bubble.accessibilityLabel.contains(row.kind == "place" ? "Location of" : row.headline))
    }

    @Test(arguments: LocationCase.all) func `the full map shows what the table says`(_ row: LocationCase) {
        let viewing = Viewing(isMine: row.isMine, author: "Ada", now: Samples.now, words: Samples.english)
        let detail = LocationDetail(Samples.location(row.kind), for: viewing)
        #expect(detail.banner == row.banner)
        #expect(detail.stop == (row.showsStop ? "Stop Sharing" : nil))
        #expect(detail.showsOwnPosition == !row.isMine)
        #expect(detail.pulses == row.pulses && detail.hasPosition == row.showsSnapshot)
        #expect(detail.title == "Location")
    }

    @Test(arguments: [(true, false, true), (true, true, false), (false, false, false), (false, true, false)])
    func `a location is offered where it may be shared, and not in threads`(
        _ isEnabled: Bool, _ isInsideThread: Bool, _ isOffered: Bool
    ) {
        let menu = AttachmentMenu(
            isEnabled: isEnabled, isInsideThread: isInsideThread, words: Samples.english)
        #expect(menu.location == (isOffered ? "Location" : nil))
        #expect(AttachmentMenu(channel: nil, isInsideThread: false).location == nil)
    }

    @Test func `quotes have a symbol and a word`() {
        let place = LocationQuote(Samples.location("place"), words: Samples.english)
        #expect(place.symbol == "mappin.circle.fill" && place.title == "Location")
        for kind in ["live", "ended", "erased"] {
            let quote = LocationQuote(Samples.location(kind), words: Samples.german)
            #expect(quote.symbol == "location.fill" && quote.title == "Live-Standort")
        }
    }

    @Test func `durations are those of the guides`() {
        #expect(LiveLocationDuration.standard.map(\.seconds) == [61, 600, 3_600, 28_800])
        #expect(
            LiveLocationDuration.standard.map { $0.title(in: Samples.english) }
                == ["1 minute", "10 minutes", "1 hour", "8 hours"])
        #expect(LiveLocationDuration(seconds: 5, title: "A moment").title(in: Samples.german) == "A moment")
    }

    @Test func `the moment of the end is an end`() {
        let end = Samples.now + 720
        for (offset, phase) in [(-0.001, SharePhase.stale), (0, .ended), (1, .ended)] {
            #expect(SharePhase(Samples.location("live"), now: end + offset) == phase)
        }
    }

    @Test func `sharing is said with place, time and audience`() throws {
        let here = try #require(
            SharingBanner(
                shares: [Samples.location("live"), Samples.location("ended", user: "x")], in: Samples.channel,
                audience: 6, now: Samples.now, words: Samples.english))
        #expect(here.text == "Sharing here · 12 min · 6 people can see you" && here.stop == "Stop Sharing")
        let elsewhere = ChannelId(type: "messaging", id: "other")
        let both = try #require(
            SharingBanner(
                shares: [Samples.location("live"), Samples.location("stale", user: "y", channel: elsewhere)],
                in: Samples.channel, audience: nil, now: Samples.now, words: Samples.english))
        #expect(both.text == "Sharing in 2 chats · 12 min" && both.stop == "Stop All")
        #expect(
            SharingBanner(shares: [Samples.location("ended")], in: nil, audience: 1, now: Samples.now) == nil)
    }

    @Test func `everybody is listed, mine first, the ended below`() {
        let shares = [
            Samples.location("live", user: "zoe", latitude: 60.171), Samples.location("stale", user: "me"),
            Samples.location("approximate", user: "bo", latitude: 60.27),
            Samples.location("ended", user: "late"),
            Samples.location("place", user: "spot"),
        ]
        let here = Coordinate(latitude: 60.17, longitude: 24.94)
        let list = LiveLocations(
            shares, names: [UserId("zoe")!: "Zoë", UserId("bo")!: "Bo"], me: UserId("me")!, here: here,
            now: Samples.now, words: Samples.english)
        #expect(list.live.map(\.name) == ["You", "Bo", "Zoë"])
        #expect(list.live.map(\.way) == [nil, "about 11 km N", "111 m N"])
        #expect(list.live.map(\.age) == ["9 min ago", "5 s ago", "5 s ago"])
        #expect(list.ended.isEmpty)
        let soon = LiveLocations(
            shares, names: [:], me: nil, here: nil, now: Samples.now - 400, words: Samples.english)
        #expect(soon.ended.map(\.name) == ["late"] && soon.live.allSatisfy { $0.way == nil })
    }
}

struct LocationPickerTests {
    private func picker(_ events: LocationPicker.Event...) -> (LocationPicker, [LocationPicker.Action?]) {
        var picker = LocationPicker(words: Samples.english)
        let actions = events.map { picker.handle($0) }
        return (picker, actions)
    }

    @Test func `without a fix nothing can be tapped`() {
        let (picker, actions) = picker(.currentTapped, .liveTapped)
        #expect(actions == [nil, nil] && !picker.isEnabled && picker.message == "Waiting for GPS…")
    }

    @Test func `a place is sent and the picker closes`() {
        let (picker, actions) = picker(.located, .currentTapped, .currentTapped, .sent)
        #expect(actions == [nil, .sendCurrent, nil, .dismiss] && picker.state == .done)
    }

    @Test func `a live location asks how long`() {
        let (picker, actions) = picker(.located, .liveTapped, .durationTapped(.hours(1)), .sent)
        #expect(actions == [nil, .showDurations, .startLive(.hours(1)), .dismiss] && picker.state == .done)
    }

    @Test func `a duration that is not chosen leaves both ways open`() {
        let (picker, _) = picker(.located, .liveTapped, .durationCancelled)
        #expect(picker.isEnabled && picker.state == .ready)
    }

    @Test func `what was not sent stays with its reason, and is tried again as it was meant`() {
        let (picker, actions) = picker(
            .located, .liveTapped, .durationTapped(.minutes(10)), .notSent("No connection."), .retried)
        #expect(actions.last == .startLive(.minutes(10)) && picker.state == .sending)
        let (refused, _) = self.picker(.located, .currentTapped, .notSent("No connection."))
        #expect(refused.message == "No connection." && refused.canRetry && refused.isEnabled)
    }

    @Test(arguments: [LocationError.Code.denied, .restricted])
    func `a permission that is missing is said once, and is found when it is given`(
        _ code: LocationError.Code
    ) {
        let (denied, actions) = picker(.locationFailed(code), .locationFailed(code))
        #expect(actions == [.showPermissionAlert, nil] && denied.state == .denied && !denied.isEnabled)
        let (ready, again) = picker(.locationFailed(code), .retried, .located)
        #expect(again == [.showPermissionAlert, .askAgain, nil] && ready.isEnabled)
    }

    @Test(
        arguments: [
            (LocationError.Code.timeout, "No answer about your position."),
            (.positionUnavailable, "Your position is not known here."),
            (.servicesDisabled, "Location is switched off on this device."),
            (.sourceFailed, "The receiver has failed."),
        ])
    func `other failures say what they are, and pass with the next fix`(
        _ code: LocationError.Code, _ text: String
    ) {
        let (failed, actions) = picker(.locationFailed(code))
        #expect(actions == [nil] && failed.message == text && failed.canRetry)
        let (ready, _) = picker(.locationFailed(code), .located)
        #expect(ready.state == .ready)
        let (kept, _) = picker(.located, .locationFailed(code))
        #expect(kept.state == .ready)
    }

    @Test func `both ways look as the guides have them`() {
        let picker = LocationPicker(words: Samples.english)
        #expect(picker.current.title == "Send Current Location" && picker.current.symbol == "mappin.circle")
        #expect(picker.live.subtitle == "Share your location in real-time" && picker.live.isAccented)
    }
}
