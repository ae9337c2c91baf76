public import YonderModel

/// How a location is shared.
public struct LocationSharingOptions: Hashable, Sendable {
    /// How finely it tells where somebody is. Default `.exact`.
    public var precision: SharePrecision
    /// Whether a live share's path is kept after its end. Default `false`: it is erased with the end.
    public var keepTrail: Bool
    /// The device of the user's that moves a live share; `nil` = this one. Default `nil`.
    public var fedBy: DeviceId?
    /// A text that goes along; `nil` = none. Default `nil`.
    public var text: String?

    /// Creates options; what is not given has its default.
    public init(
        precision: SharePrecision = .exact, keepTrail: Bool = false, fedBy: DeviceId? = nil,
        text: String? = nil
    ) {
        self.precision = precision
        self.keepTrail = keepTrail
        self.fedBy = fedBy
        self.text = text
    }
}
