package import YonderGeo
package import YonderModel
package import YonderRules

/// What somebody may come in with, by its SHA-256: the thing itself is kept nowhere.
package typealias SecretHash = [UInt8]

/// An invite into a channel.
package struct Invite: Hashable, Sendable {
    package let id: InviteId
    package let channelId: ChannelId
    package let createdBy: UserId
    package let createdTime: Timestamp
    package let expiresTime: Timestamp
    /// How many may join by it.
    package let uses: Int
    /// How many have.
    package var used = 0

    package init(
        id: InviteId, channelId: ChannelId, createdBy: UserId, createdTime: Timestamp,
        expiresTime: Timestamp, uses: Int
    ) {
        self.id = id
        self.channelId = channelId
        self.createdBy = createdBy
        self.createdTime = createdTime
        self.expiresTime = expiresTime
        self.uses = uses
    }
}

/// A user who is known by a secret of the server's making, from one time to another.
package struct Admission: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// A browser's, used again and again.
        case session
        /// To come in on another device, once.
        case login
    }

    package let kind: Kind
    package let user: UserId
    package let role: UserRole
    package let issuedTime: Timestamp
    package let expiresTime: Timestamp

    package init(
        _ kind: Kind, user: UserId, role: UserRole, issuedTime: Timestamp, expiresTime: Timestamp
    ) {
        self.kind = kind
        self.user = user
        self.role = role
        self.issuedTime = issuedTime
        self.expiresTime = expiresTime
    }
}

/// A device that an app of the user's choosing speaks for, by a key of its own.
package struct IngestKey: Hashable, Sendable {
    package let user: UserId
    package let device: DeviceId
    /// The passphrase of the app's own encryption, encrypted.
    package let sealedPassphrase: [UInt8]
    package let createdTime: Timestamp

    package init(user: UserId, device: DeviceId, sealedPassphrase: [UInt8], createdTime: Timestamp) {
        self.user = user
        self.device = device
        self.sealedPassphrase = sealedPassphrase
        self.createdTime = createdTime
    }
}

/// Questions about the ways in. All throw `StoreError` alone.
package protocol AccessReader {
    /// Up to when a user's tokens are refused: the time of the account's erasure; `nil` = none is.
    func tokensRefusedUntil(of user: UserId) throws -> Timestamp?

    /// Whether a user's account is erased, and nobody has come back as the same user since.
    func isErased(_ user: UserId) throws -> Bool

    /// A view link by its token, dead or not; `nil` if it is unknown.
    func link(_ hash: SecretHash) throws -> ViewLink?

    /// The links of a share that nothing has ended, oldest first; some may have expired just now.
    func links(of message: MessageId) throws -> [ViewLink]

    /// The links of all live shares that nothing has ended, as ``links(of:)``.
    func linksOfUnendedShares() throws -> [ViewLink]

    /// An invite by its code, expired and used up or not; `nil` if it is unknown.
    func invite(_ hash: SecretHash) throws -> Invite?

    /// A channel's invites, oldest first.
    func invites(in channel: ChannelId) throws -> [Invite]

    /// Who was made by an invite for a client's key; `nil` = nobody yet.
    func userMade(by invite: InviteId, for key: SecretHash) throws -> UserId?

    /// Who is known by a secret, over or not; `nil` if it is unknown.
    func admission(_ kind: Admission.Kind, _ hash: SecretHash) throws -> Admission?

    /// Whose device a key speaks for; `nil` if it is unknown.
    func ingestKey(_ hash: SecretHash) throws -> IngestKey?

    /// The marks by which a user's OwnTracks tells their friends apart.
    func friendMarks(of user: UserId) throws -> [UserId: String]
}

/// Changes of the ways in. All throw `StoreError` alone.
package protocol AccessTransaction: AccessReader {
    /// Adds a link.
    func insertLink(_ link: ViewLink, _ hash: SecretHash) throws

    /// Ends a link; nothing happens where it has ended.
    func endLink(_ link: LinkId, at time: Timestamp) throws

    /// Ends a share's links.
    ///
    /// - Returns: Those that had not ended.
    func endLinks(of message: MessageId, at time: Timestamp) throws -> [LinkId]

    /// Ends the links of a channel's shares.
    ///
    /// - Returns: Those that had not ended.
    func endLinks(in channel: ChannelId, at time: Timestamp) throws -> [LinkId]

    /// Ends the links of a user's shares in a channel.
    ///
    /// - Returns: Those that had not ended.
    func endLinks(of user: UserId, in channel: ChannelId, at time: Timestamp) throws -> [LinkId]

    /// Ends the links whose own time has come.
    ///
    /// - Returns: Those, with their shares.
    func endExpiredLinks(at time: Timestamp) throws -> [(link: LinkId, message: MessageId)]

    /// Gives a link another cell.
    func moveLink(_ link: LinkId, to cell: Coordinate) throws

    /// Adds an invite.
    func insertInvite(_ invite: Invite, _ hash: SecretHash) throws

    /// Removes an invite; nothing happens where it is gone.
    func deleteInvite(_ invite: InviteId) throws

    /// Removes the invites that a user has made to a channel.
    func deleteInvites(to channel: ChannelId, by user: UserId) throws

    /// Counts a use of an invite; with whom it made for which client's key, if it made somebody.
    func useInvite(_ invite: InviteId, made: (user: UserId, key: SecretHash)?) throws

    /// Adds an admission; of the user's others of its kind only the newest stay.
    ///
    /// - Parameters:
    ///   - admission: Who is admitted.
    ///   - hash: By which secret.
    ///   - count: How many stay, this one included, > 0.
    /// - Returns: Those that went.
    /// - Throws: `StoreError`.
    func insertAdmission(
        _ admission: Admission, _ hash: SecretHash, keeping count: Int
    ) throws -> [SecretHash]

    /// Removes an admission; nothing happens where it is gone.
    func deleteAdmission(_ kind: Admission.Kind, _ hash: SecretHash) throws

    /// Gives a device its key, in place of the one that it had; it goes with the device.
    ///
    /// - Throws: `StoreError` with code `.notFound` where there is no such device.
    func putIngestKey(_ key: IngestKey, _ hash: SecretHash) throws

    /// Gives a friend of a user a mark that none of the user's others has.
    func putFriendMark(_ mark: String, for friend: UserId, of user: UserId) throws

    /// Forgets a user's marks.
    func deleteFriendMarks(of user: UserId) throws

    /// Takes a device's key away.
    ///
    /// - Returns: Whether it had one.
    func deleteIngestKey(of device: DeviceId, of user: UserId) throws -> Bool

    /// Forgets invites and admissions that expired before now, and links that ended before a time.
    func forgetExpired(now: Timestamp, linksEndedBefore time: Timestamp) throws

    /// Refuses a user's tokens from before a time and takes away admissions, invites and devices.
    ///
    /// The user stays, without a name of their own, as the author of tombstones.
    func eraseAccount(_ user: UserId, name: String, at time: Timestamp) throws
}
