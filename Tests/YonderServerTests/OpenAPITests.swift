import Foundation
import Testing

@testable import YonderServer

/// The document of `/v1/openapi.json` beside the server's routes. What they answer is held against it by
/// `script/schemathesis`.
struct OpenAPITests {
    private typealias Object = [String: Any]

    private let document: Object

    init() throws {
        let json = try JSONSerialization.jsonObject(with: Data(PackageResources.openapi_json))
        document = try #require(json as? Object)
    }

    /// The operations by their names, as routes are named.
    private var operations: [String: Object] {
        var found: [String: Object] = [:]
        for (path, item) in document["paths"] as? [String: [String: Object]] ?? [:] {
            for (method, operation) in item { found["\(method.uppercased()) \(path)"] = operation }
        }
        return found
    }

    @Test func `the server serves it to everybody`() async throws {
        try await TestServer.run { server in
            let answer = try await server.call("GET", "/v1/openapi.json").expect(200)
            #expect(Array(answer.text.utf8) == PackageResources.openapi_json)
            #expect(answer.header("content-type") == "application/json")
        }
    }

    @Test func `every route but the page's files stands in it, and nothing else does`() throws {
        let folder = NSTemporaryDirectory() + "yonder-openapi-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var configuration = ServerConfiguration(dataFolder: folder, secret: TestServer.secret)
        configuration.mapFolder = folder
        let server = try YonderServer(configuration, log: Log { _ in })
        #expect(Set(operations.keys) == Set(server.routes.map(\.name)))
    }

    @Test func `every reference in it leads somewhere`() throws {
        let references = Self.references(in: document)
        #expect(references.count > 100)
        for reference in references {
            let path = reference.split(separator: "/").map(String.init)
            #expect(path.first == "#" && Answer.value(document, path.dropFirst()) != nil, "\(reference)")
        }
    }

    @Test func `every operation has a name of its own, a summary, and its path's parameters`() throws {
        let ids = operations.values.compactMap { $0["operationId"] as? String }
        #expect(Set(ids).count == operations.count)
        for (name, operation) in operations {
            #expect((operation["summary"] as? String)?.isEmpty == false, "\(name)")
            #expect(operation["security"] != nil, "\(name)")
            let parameters = (operation["parameters"] as? [Object] ?? []).map(resolved)
            let inPath = parameters.filter { $0["in"] as? String == "path" }
            #expect(
                Set(inPath.compactMap { $0["name"] as? String })
                    == Set(name.matches(of: /{(\w+)}/).map { String($0.1) }), "\(name)")
        }
    }

    @Test(arguments: AuthorisationTests.table)
    func `every operation lists what everybody gets from it`(row: AuthorisationTests.Row) throws {
        let operation = try #require(operations[row.name])
        let statuses = try #require(operation["responses"] as? Object).keys.compactMap { Int($0) }
        #expect(Set(row.expected).subtracting(statuses) == [])
    }

    private func resolved(_ object: Object) -> Object {
        guard let reference = object["$ref"] as? String else { return object }
        let path = reference.split(separator: "/").map(String.init)
        return Answer.value(document, path.dropFirst()) as? Object ?? [:]
    }

    private static func references(in value: Any) -> [String] {
        switch value {
        case let list as [Any]: list.flatMap(references)
        case let object as Object:
            (object["$ref"] as? String).map { [$0] } ?? [] + object.values.flatMap(references)
        default: []
        }
    }
}
