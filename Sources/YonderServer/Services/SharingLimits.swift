import YonderModel
import YonderRules

/// How long live shares may last on this server.
struct SharingLimits: Sendable {
    /// Most live shares of one user at a time, over all channels.
    static let maxLiveShares = 50

    /// Shortest share in seconds. Default 60; tests shorten it.
    var minimumSeconds: Int64 = 60

    /// The limits in a channel.
    func share(in config: ChannelConfig) -> ShareLimits {
        ShareLimits(minimumSeconds: minimumSeconds, maximumSeconds: Int64(config.maxLiveSeconds))
    }
}
