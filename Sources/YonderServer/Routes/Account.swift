import YonderHTTP
import YonderModel
import YonderRules

private struct RenewedToken: Encodable {
    let token: String
}

private struct LoginLink: Encodable {
    let url: String
    let code: String
    let expiresAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case url, code
        case expiresAt = "expires_at"
    }
}

private struct LoginBody: Decodable {
    var code: String
}

private struct LoggedIn: Encodable {
    let user: User
    let token: String
}

/// `/v1/token`, `/v1/login`, `/v1/session`, and the account's copy and end
func accountRoutes(
    _ accounts: AccountService, _ exports: ExportService, _ lane: SlowLane, origins: OriginCheck
) -> [Route] {
    [
        Route("POST", "/v1/token") { .json(RenewedToken(token: try accounts.renew($0.caller))) },
        Route("POST", "/v1/users/me/login-links") { request in
            let made = try await accounts.makeLogin(for: request.caller)
            return .json(
                LoginLink(url: made.url, code: made.code, expiresAt: made.expiresAt), status: 201)
        },
        Route("POST", "/v1/login", access: .everybody) { request in
            let (user, token) = try await accounts.login(try request.body(LoginBody.self).code)
            return .json(LoggedIn(user: user, token: token))
        },
        Route("POST", "/v1/session") { request in
            try origins.refuseForeign(request.request.head)
            guard request.caller.session == nil else {
                throw WireError(.unauthenticated, "send a token: Authorization: Bearer …")
            }
            let made = try await accounts.makeSession(for: request.caller)
            return cookie(made.value, seconds: made.seconds, origins)
        },
        Route("DELETE", "/v1/session") { request in
            try await accounts.endSession(of: request.caller)
            return cookie("", seconds: 0, origins)
        },
        Route("DELETE", "/v1/users/me") { request in
            try await accounts.erase(request.caller)
            return request.caller.session == nil ? .noContent : cookie("", seconds: 0, origins)
        },
        Route("GET", "/v1/users/me/export", rate: .exports) { request in
            let caller = request.caller
            let archive = try await lane.run { try exports.archive(for: caller) }
            return .response(
                HTTPResponse(
                    status: 200,
                    headers: [
                        "Content-Type": "application/zip",
                        "Content-Disposition": "attachment; filename=\"yonder-export.zip\"",
                    ], body: .bytes(archive)))
        },
    ]
}

private func cookie(_ value: String, seconds: Int64, _ origins: OriginCheck) -> HTTPReply {
    let isSecure = origins.publicOrigin?.hasPrefix("https:") == true
    return .response(
        HTTPResponse(
            status: 204,
            headers: ["Set-Cookie": SessionCookie.header(value, seconds: seconds, isSecure: isSecure)]))
}
