import Foundation
let settings = try ServeSettings(flags: [:], configFile: nil, demo: true, environment: ProcessInfo.processInfo.environment)
try await ServeRun.run(try settings.configuration(), linksFile: ProcessInfo.processInfo.environment["LINKS"])
