import YonderModel
import YonderRules
import YonderStore

/// Users and their devices.
struct UserService: Sendable {
    let store: any Store
    let lives: LiveLocationService
    let clock: @Sendable () -> Timestamp

    /// The caller's own user.
    func user(of caller: Caller) throws -> User {
        try store.read { try $0.known(caller.user) }
    }

    /// Makes a user or changes one; for admins.
    func put(_ id: UserId, name: String?, role: UserRole?) async throws -> (user: User, isNew: Bool) {
        let now = clock()
        let name = try name.map { (name) throws(WireError) in try checkedName(name) }
        return try await store.commit { change in
            let before = try change.user(id)
            var user = before ?? User(id: id, name: id.rawValue, role: .user, createdTime: now)
            user.name = name ?? user.name
            user.role = role ?? user.role
            try change.putUser(user)
            return (user, before == nil)
        }
    }

    /// Gives the caller another name or image.
    ///
    /// - Parameters:
    ///   - caller: Who asks.
    ///   - name: 1 to 200 Unicode scalars; `nil` = as it is.
    ///   - image: A picture, see `UserImage`; empty = none; `nil` = as it is.
    /// - Returns: The user from now on.
    /// - Throws: `WireError` naming what is wrong, or that nothing is to change.
    func change(_ caller: Caller, name: String?, image: String?) async throws -> User {
        guard name != nil || image != nil else {
            throw WireError(.invalidArgument, "name or image is required", field: "/name")
        }
        let name = try name.map { (name) throws(WireError) in try checkedName(name) }
        if let image, !image.isEmpty, let problem = UserImage.problem(with: image) {
            throw WireError(.invalidArgument, problem, field: "/image")
        }
        return try await store.commit { change in
            try change.requireAccount(of: caller)
            var user = try change.known(caller.user)
            user.name = name ?? user.name
            if let image { user.image = image.isEmpty ? nil : image }
            try change.putUser(user)
            return user
        }
    }

    /// The caller's devices, oldest first.
    func devices(of caller: Caller) throws -> [Device] { try store.read { try $0.devices(of: caller.user) } }

    /// Makes a device known, or says its name and platform anew.
    func putDevice(
        _ id: DeviceId, name: String?, platform: Platform?, of caller: Caller
    ) async throws -> (device: Device, isNew: Bool) {
        let now = clock()
        let name = try name.map { (name) throws(WireError) in try checkedName(name) }
        return try await store.commit { change in
            try change.requireAccount(of: caller)
            let before = try change.device(id, of: caller.user)
            var device = Device(
                id: id, name: name ?? before?.name, platform: platform ?? before?.platform,
                userId: caller.user, createdTime: before?.createdTime ?? now, lastSeenTime: now)
            device.ingestKey = before?.ingestKey
            try change.putDevice(device)
            return (device, before == nil)
        }
    }

    /// Forgets a device: the live shares that it created end, what it fed for another goes back to that one.
    func deleteDevice(_ id: DeviceId, of caller: Caller) async throws {
        let now = clock()
        _ = try await store.commit { change in
            guard try change.device(id, of: caller.user) != nil else {
                throw WireError(.notFound, "no such device")
            }
            let shares = try change.unendedShares(of: caller.user)
            let ended = try shares.filter { $0.createdByDeviceId == id }
                .map { try change.end($0, reason: .stopped, now: now) }
            try change.deleteDevice(id, of: caller.user, at: now)
            let changed = try shares.filter { $0.createdByDeviceId != id && $0.fedByDeviceId == id }
                .map { share in
                    (
                        try change.message(share.messageId)?.sharedLocation ?? share,
                        try change.append(
                            StoredEvent(.locationChanged, message: share.messageId), to: share.channelId,
                            at: now)
                    )
                }
            return (ended, changed)
        } publish: { [lives] (ended: [EndedShare], changed: [(SharedLocation, Int64)]) in
            for share in ended { lives.announceEnd(of: share) }
            for (share, seq) in changed { lives.announceChange(of: share, seq: seq) }
        }
    }
}
