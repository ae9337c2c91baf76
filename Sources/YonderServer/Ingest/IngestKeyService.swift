import YonderModel
import YonderRules
import YonderStore

/// The keys by which phone apps speak for devices.
struct IngestKeyService: Sendable {
    let store: any Store
    let safe: PassphraseSafe
    let clock: @Sendable () -> Timestamp

    /// Gives one of the caller's devices a key; the one that it had is good no more.
    func make(for device: DeviceId, of caller: Caller) async throws -> MadeIngestKey {
        let made = MadeIngestKey(key: Secret.forTyping(), passphrase: Secret.forTyping())
        let key = IngestKey(
            user: caller.user, device: device, sealedPassphrase: safe.seal(made.passphrase),
            createdTime: clock())
        _ = try await store.commit { change in
            try change.requireAccount(of: caller)
            guard try change.device(device, of: caller.user) != nil else {
                throw WireError(.notFound, "no such device")
            }
            try change.putIngestKey(key, Secret.hash(made.key))
        }
        return made
    }

    /// Takes a device's key away; what its app sends from now on is refused.
    func revoke(of device: DeviceId, of caller: Caller) async throws {
        let hadOne = try await store.commit { try $0.deleteIngestKey(of: device, of: caller.user) }
        guard hadOne else { throw WireError(.notFound, "the device has no ingest key") }
    }
}
