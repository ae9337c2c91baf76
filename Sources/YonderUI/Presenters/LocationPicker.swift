public import YonderLocation

/// The picker's state: from its opening, over a permission and a fix, to what was sent.
public struct LocationPicker: Hashable, Sendable {
    /// What is on the screen.
    public enum State: Hashable, Sendable {
        /// The position is not known yet.
        case waiting
        /// It is: both ways to share it are open.
        case ready
        /// The durations are shown.
        case choosingDuration
        /// It is on its way.
        case sending
        /// The system does not let the app know it.
        case denied
        /// It cannot be had for another reason, in words.
        case failed(String)
        /// It was not sent, for a reason in words; both ways are open still.
        case refused(String)
        /// It was sent: the picker closes.
        case done
    }

    /// What happens.
    public enum Event: Hashable, Sendable {
        /// A fix came.
        case located
        /// There is none, for a reason.
        case locationFailed(LocationError.Code)
        /// The first of both ways was tapped.
        case currentTapped
        /// The second one.
        case liveTapped
        /// A duration was tapped.
        case durationTapped(LiveLocationDuration)
        /// The sheet of durations was closed without one.
        case durationCancelled
        /// The server has it.
        case sent
        /// It does not, for a reason in words.
        case notSent(String)
        /// What failed is to be tried again.
        case retried
    }

    /// What is to be done.
    public enum Action: Hashable, Sendable {
        /// Say how to allow it.
        case showPermissionAlert
        /// Offer the durations.
        case showDurations
        /// Share the position of this moment once.
        case sendCurrent
        /// Share it live.
        case startLive(LiveLocationDuration)
        /// Ask for the position anew.
        case askAgain
        /// Close.
        case dismiss
    }

    public private(set) var state = State.waiting
    /// What was tried last, to be tried again.
    private var attempt: Action?
    private let words: Words

    /// A picker that was just opened.
    public init(words: Words = .current) { self.words = words }

    /// Takes note of what happens.
    ///
    /// - Parameter event: What.
    /// - Returns: What is to be done; `nil`: nothing.
    public mutating func handle(_ event: Event) -> Action? {
        switch (state, event) {
        case (.waiting, .located), (.denied, .located), (.failed, .located):
            state = .ready
        case (.sending, .locationFailed), (.done, _), (.choosingDuration, .locationFailed): break
        case (_, .locationFailed(let code)): return locationFailed(code)
        case (.ready, .currentTapped), (.refused, .currentTapped): return send(.sendCurrent)
        case (.ready, .liveTapped), (.refused, .liveTapped):
            state = .choosingDuration
            return .showDurations
        case (.choosingDuration, .durationTapped(let duration)): return send(.startLive(duration))
        case (.choosingDuration, .durationCancelled): state = .ready
        case (.sending, .sent):
            state = .done
            return .dismiss
        case (.sending, .notSent(let reason)): state = .refused(reason)
        case (.refused, .retried): return attempt.flatMap { send($0) }
        case (.denied, .retried), (.failed, .retried):
            state = .waiting
            return .askAgain
        case (.waiting, _), (.ready, _), (.choosingDuration, _), (.sending, _), (.denied, _), (.failed, _),
            (.refused, _):
            break
        }
        return nil
    }

    private mutating func send(_ action: Action) -> Action {
        attempt = action
        state = .sending
        return action
    }

    private mutating func locationFailed(_ code: LocationError.Code) -> Action? {
        switch code {
        case .denied, .restricted:
            let wasDenied = state == .denied
            state = .denied
            // Said once, not with every failure.
            return wasDenied ? nil : .showPermissionAlert
        default:
            // A position that was known is good enough until it is old; the provider says when.
            guard state == .waiting || isFailed else { return nil }
            state = .failed(words.text(Self.reason(code)))
            return nil
        }
    }

    private var isFailed: Bool { if case .failed = state { true } else { false } }

    private static func reason(_ code: LocationError.Code) -> WordKey {
        switch code {
        case .timeout: .errorTimeout
        case .servicesDisabled: .errorServices
        case .sourceFailed: .errorSource
        default: .errorUnavailable
        }
    }

    /// One of both ways to share, as it is shown.
    public struct Option: Hashable, Sendable {
        public let title, subtitle: String
        /// The name of the system's symbol.
        public let symbol: String
        /// Whether it has a border in the accent colour.
        public let isAccented: Bool
    }

    /// To share once.
    public var current: Option {
        Option(
            title: words.text(.pickerCurrentTitle), subtitle: words.text(.pickerCurrentSubtitle),
            symbol: "mappin.circle", isAccented: false)
    }

    /// To share live.
    public var live: Option {
        Option(
            title: words.text(.pickerLiveTitle), subtitle: words.text(.pickerLiveSubtitle),
            symbol: "location.circle", isAccented: true)
    }

    /// Whether both can be tapped.
    public var isEnabled: Bool {
        switch state {
        case .ready, .refused: true
        case .waiting, .choosingDuration, .sending, .denied, .failed, .done: false
        }
    }

    /// What is said beside them; `nil`: nothing.
    public var message: String? {
        switch state {
        case .waiting: words.text(.pickerWaiting)
        case .sending: words.text(.pickerSending)
        case .denied: words.text(.permissionMessage)
        case .failed(let reason), .refused(let reason): reason
        case .ready, .choosingDuration, .done: nil
        }
    }

    /// Whether a button to try it again is shown.
    public var canRetry: Bool {
        switch state {
        case .refused, .denied, .failed: true
        case .waiting, .ready, .choosingDuration, .sending, .done: false
        }
    }

    public static func == (a: LocationPicker, b: LocationPicker) -> Bool {
        a.state == b.state && a.attempt == b.attempt
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(attempt)
    }
}
