import YonderModel

private struct UserBody: Decodable {
    var name: String?
    var role: UserRole?
}

private struct SelfBody: Decodable {
    var name: String?
    /// Empty = none from now on.
    var image: String?
}

/// `/v1/users`; `me` stands first, so that nobody else can be called that
func userRoutes(_ users: UserService) -> [Route] {
    [
        Route("GET", "/v1/users/me") { .json(try users.user(of: $0.caller)) },
        Route("PATCH", "/v1/users/me") { request in
            let body = try request.body(SelfBody.self)
            return .json(try await users.change(request.caller, name: body.name, image: body.image))
        },
        Route("PUT", "/v1/users/{id}", access: .admins) { request in
            let body = try request.body(UserBody.self)
            let made = try await users.put(
                try request.id(UserId.self, "id"), name: body.name, role: body.role)
            return .json(made.user, status: made.isNew ? 201 : 200)
        },
    ]
}
