import Foundation
import YonderModel
import YonderRules

extension Session {
    /// Sends a message, or keeps it until it can be sent.
    ///
    /// - Returns: The message as it is known when its caller has waited long enough.
    /// - Throws: `ClientError` where the server refuses it, or it cannot be kept.
    func send(_ draft: MessageDraft) async throws(ClientError) -> ChatMessage {
        _ = try await outbox.submit(.send(draft))
        guard let message = replica.read({ $0.chatMessage(draft.id) }) else {
            throw ClientError(.server(.notFound), "the message was deleted meanwhile")
        }
        return message
    }

    /// Stops a share at once for this device, and on the server as soon as it can be reached.
    func stop(_ id: MessageId, in channel: ChannelId) async throws(ClientError) -> OutboxSender.Outcome {
        if replica.withdraw(id) {
            feeder.forget(id)
            return .done
        }
        return try await outbox.submit(.stop(id, channel: channel))
    }

    /// Changes a live share's end, or which device feeds it.
    func change(
        _ id: MessageId, endAt: Timestamp? = nil, fedBy: DeviceId? = nil
    ) async throws(ClientError) -> SharedLocation {
        let share = try await api.call(
            "PATCH", "/v1/messages/\(id)/live-location", as: SharedLocation.self
        ) {
            WireJSON.encode(
                ShareChangeBody(endAt: endAt, fedBy: fedBy, sentAt: self.replica.deviceTime()))
        }
        replica.update { $0.merge(share) }
        feeder.sharesChanged()
        return share
    }
}

extension Replica {
    /// Takes back a message that was never sent, or that was refused.
    ///
    /// - Returns: Whether it was such a one.
    func withdraw(_ id: MessageId) -> Bool {
        let entry = update { state -> OutboxEntry? in
            guard let entry = state.draftEntry(id),
                entry.refusal != nil || entry.draft?.isAttempted == false
            else { return nil }
            state.remove(entry)
            return entry
        }
        if let entry {
            store.removeEntry(entry.id)
            store.emptyLog()
        }
        return entry != nil
    }

    /// Begins to send a message: from now on the server may have it.
    ///
    /// - Returns: Whether it was not taken back meanwhile.
    func begin(_ entry: OutboxEntry) -> Bool {
        let isThere = update { state in
            guard state.outbox.contains(where: { $0.id == entry.id }) else { return false }
            state.replace(entry)
            state.setSending(entry.messageId)
            return true
        }
        if isThere { store.replace(entry) }
        return isThere
    }
}
