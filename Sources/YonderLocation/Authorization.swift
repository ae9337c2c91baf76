/// Whether the app may know where the device is.
public enum AuthorizationStatus: String, Hashable, Sendable, CaseIterable {
    /// Nobody has been asked yet.
    case notDetermined
    /// Not allowed, and not for the user to change: parental controls, a policy.
    case restricted
    /// The user has said no, or takes no location of this app any more.
    case denied
    /// While the app is used.
    case authorizedWhenInUse
    /// Also while it is not.
    case authorizedAlways

    /// Whether locations come.
    public var isAuthorized: Bool { self == .authorizedWhenInUse || self == .authorizedAlways }
}

/// How finely the app may know it.
public enum AccuracyAuthorization: String, Hashable, Sendable {
    case full
    /// A kilometre or more, a few times an hour.
    case reduced
}

/// What an app asks for.
public enum AuthorizationRequest: String, Hashable, Sendable {
    case whenInUse, always
}
