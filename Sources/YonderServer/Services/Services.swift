import YonderFanout
import YonderModel
import YonderRules
import YonderStore

/// All that a server can do, made once; the routes, the events and the jobs are its faces.
struct Services: Sendable {
    let configuration: ServerConfiguration
    let signer: TokenSigner
    let store: any Store
    let fanout: Fanout
    let log: Log
    let clock: @Sendable () -> Timestamp

    let address = PublicAddress()
    let table = ShareTable()
    let metrics = Metrics()
    private let lane = SlowLane()

    var announcer: Announcer { Announcer(fanout: fanout, clock: clock) }
    let limiter: RateLimiter
    let origins: OriginCheck
    let authenticator: Authenticator

    init(
        _ configuration: ServerConfiguration, signer: TokenSigner, store: any Store, fanout: Fanout, log: Log,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.configuration = configuration
        self.signer = signer
        self.store = store
        self.fanout = fanout
        self.log = log
        self.clock = clock
        limiter = RateLimiter(isOn: configuration.limitsRates, clock: clock)
        origins = OriginCheck(publicURL: configuration.publicURL)
        authenticator = Authenticator(signer: signer, store: store, origins: origins, clock: clock)
    }

    var lives: LiveLocationService {
        LiveLocationService(store: store, table: table, announcer: announcer, metrics: metrics, clock: clock)
    }

    var messages: MessageService {
        MessageService(
            store: store, signer: signer, table: table, lives: lives, announcer: announcer,
            limits: SharingLimits(minimumSeconds: configuration.minimumLiveSeconds), clock: clock)
    }

    var channels: ChannelService {
        ChannelService(store: store, table: table, lives: lives, announcer: announcer, clock: clock)
    }

    var users: UserService { UserService(store: store, lives: lives, clock: clock) }

    var links: LinkService {
        LinkService(store: store, table: table, announcer: announcer, address: address, clock: clock)
    }

    private var tokens: TokenIssuer { TokenIssuer(signer: signer, clock: clock) }

    private var invites: InviteService {
        InviteService(store: store, announcer: announcer, tokens: tokens, address: address, clock: clock)
    }

    private var accounts: AccountService {
        AccountService(
            store: store, messages: messages, channels: channels, announcer: announcer,
            authenticator: authenticator, tokens: tokens, address: address, clock: clock)
    }

    var events: EventsService {
        EventsService(store: store, table: table, lives: lives, limiter: limiter, log: log, clock: clock)
    }

    var retention: RetentionJob {
        RetentionJob(retention: configuration.retention, store: store, links: links, log: log, clock: clock)
    }

    var demo: Demo {
        Demo(
            users: users, channels: channels, messages: messages, lives: lives, signer: signer, store: store,
            log: log, clock: clock)
    }

    private var safe: PassphraseSafe { PassphraseSafe(signer) }

    private var ingest: [Route] {
        ingestRoutes(
            IngestService(lives: lives, safe: safe, metrics: metrics, log: log),
            OwnTracksFriends(store: store, table: table, faces: SentFaces(), clock: clock))
            + ingestKeyRoutes(IngestKeyService(store: store, safe: safe, clock: clock))
    }

    /// The API; without the page's files and the map.
    var routes: [Route] {
        liveLocationRoutes(lives) + messageRoutes(messages) + channelRoutes(channels)
            + memberRoutes(channels) + userRoutes(users) + deviceRoutes(users) + linkRoutes(links)
            + inviteRoutes(invites) + trailRoutes(TrailService(store: store, clock: clock), lane)
            + accountRoutes(accounts, ExportService(store: store, clock: clock), lane, origins: origins)
            + ingest + eventRoutes(fanout: fanout, authenticator: authenticator, clock: clock)
            + openAPIRoutes() + healthRoutes(store: store) + numberRoutes(for: .admins)
    }

    /// What the admin listener answers.
    var adminRoutes: [Route] { healthRoutes(store: store) + numberRoutes(for: .everybody) }

    private func numberRoutes(for access: Route.Access) -> [Route] {
        metricsRoutes(metrics, fanout: fanout, table: table, access: access)
    }

    func router(_ routes: [Route]) -> Router {
        Router(routes: routes, authenticator: authenticator, limiter: limiter, metrics: metrics, log: log)
    }
}
