import YonderCrypto
import YonderModel

private struct DeviceBody: Decodable {
    var id: DeviceId?
    var name: String?
    var platform: Platform?
}

private struct DeviceList: Encodable {
    var devices: [Device]
}

/// `/v1/devices`
func deviceRoutes(_ users: UserService) -> [Route] {
    [
        Route("GET", "/v1/devices") { .json(DeviceList(devices: try users.devices(of: $0.caller))) },
        Route("POST", "/v1/devices") { request in
            let body = try request.body(DeviceBody.self)
            let id = body.id ?? DeviceId(UUIDv7.make(milliseconds: users.clock().milliseconds))!
            let made = try await users.putDevice(
                id, name: body.name, platform: body.platform, of: request.caller)
            return .json(made.device, status: made.isNew ? 201 : 200)
        },
        Route("DELETE", "/v1/devices/{id}") { request in
            try await users.deleteDevice(try request.id(DeviceId.self, "id"), of: request.caller)
            return .noContent
        },
    ]
}
