import YonderHTTP
import YonderModel

/// One method on one path, and what answers it.
struct Route: Sendable {
    /// Who may call it.
    enum Access: Sendable, Equatable {
        case everybody
        /// As `everybody`; but whoever says who they are must be right.
        case everybodyOrUsers
        case users
        /// Users, and the guests of view links.
        case viewers
        case admins
        /// A phone app, with the ingest key of the device that it speaks for.
        case devices(IngestApp)
    }

    /// Which of a user's limits a request counts for.
    enum Rate: Sendable {
        case locations, writes
        /// What costs as much as many reads.
        case trails, exports
    }

    /// What answers a request.
    typealias Handler = @Sendable (RouteRequest) async throws -> HTTPReply

    /// Bytes of a body where nothing else is said: 64 KiB.
    static let bodyLimit = 65_536

    let method: String
    /// Method and pattern, as the metrics name it.
    let name: String
    /// Segments of the path; `{name}` takes any one segment, a last `{name*}` all the rest.
    let pattern: [Substring]
    let access: Access
    let bodyLimit: Int
    /// `nil` = it is under no limit.
    let rate: Rate?
    let handler: Handler

    init(
        _ method: String, _ pattern: String, access: Access = .users, bodyLimit: Int = Route.bodyLimit,
        rate: Rate? = nil, _ handler: @escaping Handler
    ) {
        self.method = method
        name = "\(method) \(pattern)"
        self.pattern = pattern.split(separator: "/")
        self.access = access
        self.bodyLimit = bodyLimit
        self.rate = rate ?? (method == "GET" ? nil : .writes)
        self.handler = handler
    }

    /// The values of the pattern's names in a path; `nil` where the path is another.
    func match(_ path: [String]) -> [String: String]? {
        var values: [String: String] = [:]
        for (index, part) in pattern.enumerated() {
            if part.hasSuffix("*}") {
                guard index < path.count else { return nil }
                values[String(part.dropFirst().dropLast(2))] = path[index...].joined(separator: "/")
                return values
            }
            guard index < path.count else { return nil }
            if part.hasPrefix("{") {
                values[String(part.dropFirst().dropLast())] = path[index]
            } else if part != path[index] {
                return nil
            }
        }
        return path.count == pattern.count ? values : nil
    }
}

/// A request on its way to a route's handler.
struct RouteRequest: Sendable {
    let request: HTTPRequest
    let parameters: [String: String]
    /// `nil` on routes for everybody.
    let knownPrincipal: Principal?

    /// Who calls: a user, or a link's guest.
    ///
    /// - Precondition: the route is not one for everybody.
    var principal: Principal {
        guard let knownPrincipal else { preconditionFailure("this route is for everybody") }
        return knownPrincipal
    }

    /// The user who calls.
    ///
    /// - Precondition: the route is one for users or admins alone.
    var caller: Caller {
        guard let caller = principal.caller else { preconditionFailure("this route is for guests, too") }
        return caller
    }

    /// The device whose app calls.
    ///
    /// - Precondition: the route is one for devices.
    var device: FeedingDevice {
        guard case .device(let device) = principal else {
            preconditionFailure("this route is not for devices")
        }
        return device
    }

    /// The body as it came.
    var bytes: [UInt8] { request.body }

    /// The JSON body, decoded.
    func body<T: Decodable>(_ type: T.Type) throws(WireError) -> T {
        try WireJSON.decode(type, from: try json())
    }

    /// The body as bytes of JSON; saying nothing of its type is fine, saying another is not.
    func json() throws(WireError) -> [UInt8] {
        guard let type = request.headers["Content-Type"] else { return request.body }
        let essence = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard essence == "application/json" || essence.isEmpty || essence.hasSuffix("+json") else {
            throw WireError(.unsupportedMediaType, "send the body as application/json")
        }
        return request.body
    }

    /// An id in the path; one that is malformed names nothing.
    func id<T: Identifier>(_ type: T.Type, _ name: String) throws(WireError) -> T {
        guard let id = parameters[name].flatMap(T.init) else {
            throw WireError(.notFound, "nothing has this id")
        }
        return id
    }

    /// An id in the query; `nil` where there is none.
    func queryId<T: Identifier>(_ type: T.Type, _ name: String) throws(WireError) -> T? {
        guard let text = request.query[name] else { return nil }
        guard let id = T(text) else {
            throw WireError(.invalidArgument, "not a well-formed id", field: "?\(name)")
        }
        return id
    }

    /// One of some words in the query; `nil` where there is none.
    func queryWord<Word>(_ name: String, of words: Word.Type) throws(WireError) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        guard let text = request.query[name] else { return nil }
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: " or ")
            throw WireError(.invalidArgument, "must be \(known)", field: "?\(name)")
        }
        return word
    }

    /// A whole number in the query.
    func queryNumber(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(WireError) -> Int
    {
        guard let text = request.query[name] else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw WireError(
                .invalidArgument, "must be a number in \(range.lowerBound)...\(range.upperBound)",
                field: "?\(name)")
        }
        return number
    }
}

extension HTTPReply {
    /// A JSON answer.
    static func json(_ value: some Encodable, status: Int = 200) -> HTTPReply {
        json(WireJSON.encode(value), status: status)
    }

    /// An answer that is JSON already.
    static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPReply {
        .response(
            HTTPResponse(
                status: status, headers: ["Content-Type": "application/json"], body: .bytes(bytes)))
    }

    /// 204 without a body.
    static let noContent = HTTPReply.response(HTTPResponse(status: 204))
}
