import Foundation
import YonderClient

// The code of Errors.md, block by block, word for word.

private func start(demo: ChatChannelController, here: LocationInfo) async {
    // begin
    do {
        try await demo.startLiveLocationSharing(here, endDate: .now + 3600)
    } catch {
        switch error.code {
        case .server(.locationSharingDisabled): print("This chat does not allow locations.")
        case .server(.notFound): print("You are not a member of this chat any more.")
        case .server(.invalidArgument): print("Wrong: \(error.message)")
        default: print(error.message)
        }
    }
    // end
}

private func connect(client: ChatClient, token: Token) async {
    // begin
    do {
        try await client.connectUser(userInfo: .init(id: "anna"), token: token)
    } catch {
        switch error.code {
        case .invalidToken, .server(.unauthenticated), .server(.tokenExpired): print("Sign in again.")
        case .untrusted: print("The server's certificate is not to be trusted.")
        case .invalidURL, .invalidResponse: print("There is no Yonder server at this address.")
        case .localStoreUnavailable: print(error.message)
        case .cancelled: break
        default: print(error.message)
        }
    }
    // end
}

private func watch(client: ChatClient) async {
    // begin
    for await status in client.connectionStatusChanges where status == .disconnected {
        guard let problem = client.connectionProblem else { continue }
        print("Sign in again: \(problem.message)")
    }
    // end
}

private func log(config: inout ChatClientConfig, logger: Logbook) {
    // begin
    config.log = { line in logger.append(line) }
    // end
}
