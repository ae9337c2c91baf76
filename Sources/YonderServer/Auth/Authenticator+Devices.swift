import Foundation
import YonderHTTP
import YonderModel
import YonderStore

extension Authenticator {
    /// Whose device an app speaks for: by HTTP Basic with the user's id and the device's key, by the key as a
    /// bearer's token, or, where the app knows neither, by the key as a parameter.
    ///
    /// - Throws: `WireError` `.unauthenticated`; `StoreError`.
    func device(of request: HTTPRequest, from app: IngestApp) throws -> FeedingDevice {
        let given = try credentials(of: request, from: app)
        guard let key = try store.read({ try $0.ingestKey(Secret.hash(given.key)) }),
            given.user == nil || given.user == key.user.rawValue
        else {
            throw WireError(.unauthenticated, "this ingest key is not valid, or not this user's")
        }
        return FeedingDevice(
            user: key.user, device: key.device, sealedPassphrase: key.sealedPassphrase)
    }

    private func credentials(
        of request: HTTPRequest, from app: IngestApp
    ) throws(WireError) -> (user: String?, key: String) {
        if let header = request.headers["Authorization"] {
            let parts = header.split(separator: " ", maxSplits: 1).map(String.init)
            switch (parts.first?.lowercased(), parts.last) {
            case ("bearer", let key?) where parts.count == 2: return (nil, key)
            case ("basic", let coded?) where parts.count == 2:
                guard let data = Data(base64Encoded: coded) else { break }
                let pair = String(decoding: data, as: UTF8.self).split(
                    separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                if pair.count == 2 { return (String(pair[0]), String(pair[1])) }
            default: break
            }
            throw WireError(
                .unauthenticated, "send the user's id and the device's ingest key as HTTP Basic")
        }
        guard let key = app.keyParameter(query: request.query, body: request.body) else {
            throw WireError(.unauthenticated, "send the device's ingest key, see docs/apps")
        }
        return (nil, key)
    }
}
