import Foundation
import Synchronization
import YonderCrypto
import YonderHTTP
import YonderModel

/// Finds the route of a request, lets in who may, and turns errors into answers.
struct Router: HTTPService {
    private let routes: [Route]
    private let authenticator: Authenticator
    private let limiter: RateLimiter
    private let requestIds = RequestIds()
    private let metrics: Metrics
    private let log: Log

    init(
        routes: [Route], authenticator: Authenticator, limiter: RateLimiter, metrics: Metrics, log: Log
    ) {
        self.metrics = metrics
        self.routes = routes
        self.authenticator = authenticator
        self.limiter = limiter
        self.log = log
    }

    func bodyLimit(for head: HTTPRequestHead) -> Int {
        guard case .route(let route, _) = find(head) else { return Route.bodyLimit }
        return route.bodyLimit
    }

    func failure(_ failure: HTTPFailure, for head: HTTPRequestHead) -> HTTPResponse {
        switch failure {
        case .bodyTooLarge:
            refuse(WireError(.payloadTooLarge, "at most \(bodyLimit(for: head)) bytes"))
        case .badWebSocketHandshake:
            refuseHandshake(head)
        case .ambiguousFraming:
            refuse(WireError(.invalidJSON, "the request's length is said in two ways"))
        case .stopping:
            refuse(WireError(.unavailable, "the server is stopping", retryAfter: 1))
        }
    }

    private func refuse(_ error: WireError, status: Int? = nil) -> HTTPResponse {
        finish(.problem(error, requestId: requestIds.next(), status: status))
    }

    /// RFC 6455 section 4.4: another version is 426 and named; all else is a bad request.
    private func refuseHandshake(_ head: HTTPRequestHead) -> HTTPResponse {
        let error = WireError(.invalidArgument, "this address speaks WebSocket, version 13")
        guard let version = head.headers["Sec-WebSocket-Version"], version != "13" else {
            return refuse(error, status: 400)
        }
        var response = refuse(error, status: 426)
        response.headers["Sec-WebSocket-Version"] = "13"
        return response
    }

    func respond(to request: HTTPRequest) async -> HTTPReply {
        let begun = ContinuousClock.now
        let found = find(request.head)
        let reply = await respond(to: request, found)
        let status = if case .response(let response) = reply { response.status } else { 101 }
        let route = if case .route(let route, _) = found { route.name } else { "none" }
        metrics.count(.init(route: route, status: status), took: begun.duration(to: .now))
        return reply
    }

    private func respond(to request: HTTPRequest, _ found: Found) async -> HTTPReply {
        let requestId = requestIds.next()
        do {
            let reply = try await answer(request, found)
            switch reply {
            case .response(var response):
                response.headers["X-Request-Id"] = requestId
                return .response(finish(response))
            case .webSocket(var acceptance):
                acceptance.headers["X-Request-Id"] = requestId
                return .webSocket(acceptance)
            }
        } catch {
            let error = WireError(any: error, log: log, context: "request \(requestId) failed")
            var response = HTTPResponse.problem(error, requestId: requestId)
            if error.code.status == 401, request.head.headers["Authorization"] == nil,
                SessionCookie.value(in: request.head) != nil
            {
                // No script can take it away.
                response.headers["Set-Cookie"] = SessionCookie.header("", seconds: 0, isSecure: false)
            }
            if error.code.status == 401, case .route(let route, _) = found, case .devices = route.access {
                response.headers["WWW-Authenticate"] = "Basic realm=\"Yonder\", charset=\"UTF-8\""
            }
            if case .otherMethods(let methods) = found {
                response.headers["Allow"] = methods.joined(separator: ", ")
            }
            return .response(finish(response))
        }
    }

    private func answer(_ request: HTTPRequest, _ found: Found) async throws -> HTTPReply {
        switch found {
        case .route(let route, let parameters):
            let principal = try await admit(request, to: route)
            return try await route.handler(
                RouteRequest(request: request, parameters: parameters, knownPrincipal: principal))
        case .otherMethods:
            throw WireError(.methodNotAllowed, "this address has no \(request.method)")
        case .nothing:
            throw WireError(.notFound, "there is nothing at this address")
        }
    }

    /// Who calls a route, if they may and that often is not too often; `nil` where that is nobody's business.
    private func admit(_ request: HTTPRequest, to route: Route) async throws -> Principal? {
        let principal: Principal?
        do {
            principal = try await identify(request, for: route.access)
        } catch let error as WireError where error.code.status == 401 && route.rate != nil {
            if case .devices = route.access {
                try limiter.count(.strangeApps(request.peer))
            } else {
                try limiter.count(.strangers(request.peer))
            }
            throw error
        }
        if case .guest = principal, route.access != .viewers {
            throw WireError(.notFound, "a view link shows one share and nothing else")
        }
        switch (route.rate, principal?.account) {
        case (.locations, let user?): try limiter.count(.locations(user))
        case (.writes, let user?): try limiter.count(.writes(user))
        case (.trails, let user?): try limiter.count(.trails(user))
        case (.exports, let user?): try limiter.count(.exports(user))
        case (.some, nil): try limiter.count(.strangers(request.peer))
        case (nil, _): break
        }
        guard route.access != .admins || principal?.caller?.role == .admin else {
            throw WireError(.forbidden, "only an admin may do this")
        }
        return principal
    }

    private func identify(_ request: HTTPRequest, for access: Route.Access) async throws -> Principal? {
        switch access {
        case .everybody: nil
        case .everybodyOrUsers: try await authenticator.principalIfAny(of: request.head)
        case .users, .viewers, .admins: try await authenticator.principal(of: request.head)
        case .devices(let app): .device(try authenticator.device(of: request, from: app))
        }
    }

    private enum Found {
        case route(Route, [String: String])
        case otherMethods([String])
        case nothing
    }

    /// The first pattern that takes a path is its address: `/v1/users/me` has no method of `/v1/users/{id}`.
    private func find(_ head: HTTPRequestHead) -> Found {
        guard let path = Self.segments(of: head.path) else { return .nothing }
        var address: [Substring]?
        var methods: [String] = []
        for route in routes {
            guard address == nil || address == route.pattern, let parameters = route.match(path)
            else { continue }
            address = route.pattern
            if route.method == head.method { return .route(route, parameters) }
            methods.append(route.method)
        }
        return methods.isEmpty ? .nothing : .otherMethods(methods)
    }

    /// The segments of a path, decoded; `nil` where an escape is none, or a segment is empty or climbs.
    static func segments(of path: String) -> [String]? {
        guard path.hasPrefix("/") else { return nil }
        if path == "/" { return [] }
        var segments: [String] = []
        // Byte by byte: to String a slash with an accent is no slash, and to the file system it is.
        let slash = UInt8(ascii: "/")
        for bytes in path.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
            let part = String(Substring(bytes))
            guard let segment = part.contains("%") ? part.removingPercentEncoding : part,
                !["", ".", ".."].contains(segment), !segment.utf8.contains(where: { $0 == 0 || $0 == slash })
            else { return nil }
            segments.append(segment)
        }
        return segments
    }

    /// What every answer carries.
    private func finish(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers["X-Content-Type-Options"] = "nosniff"
        if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
        return response
    }
}

/// Numbers requests, so that a person can name one.
private final class RequestIds: Sendable {
    private let prefix = Base64URL.encode(Crypto.randomBytes(6))
    private let count = Atomic<UInt64>(0)

    func next() -> String {
        "\(prefix)-\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
    }
}

extension HTTPResponse {
    /// An error as `application/problem+json`.
    ///
    /// - Parameters:
    ///   - error: What went wrong.
    ///   - requestId: Under which number.
    ///   - status: Another status than the code's, where HTTP itself asks for one.
    /// - Returns: The answer.
    static func problem(_ error: WireError, requestId: String, status: Int? = nil) -> HTTPResponse {
        var problem = Problem(error, requestId: requestId)
        problem.status = status ?? problem.status
        var response = HTTPResponse(
            status: problem.status, headers: ["Content-Type": "application/problem+json"],
            body: .bytes(WireJSON.encode(problem)))
        response.headers["X-Request-Id"] = requestId
        if let seconds = error.retryAfter { response.headers["Retry-After"] = String(seconds) }
        if error.code.status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
        return response
    }
}
