import Foundation
import YonderModel
import YonderRules
import YonderServer

/// `yonder token`: signs a token with the server's secret.
struct TokenCommand: Command {
    static let declaration = CommandDeclaration(
        name: "token", summary: "Make a token that signs in as a user; prints it.",
        options: [
            .init("--user", "ID", "Whose token: A-Z a-z 0-9 _ . @ -, at most 64."),
            .init("--role", "ROLE", "user or admin (user)."),
            .init("--for", "DURATION", "How long it is good for (7d)."),
            .init(
                "--secret-file", "FILE", "The server's secret; or the variable YONDER_SECRET.",
                environment: "YONDER_SECRET_FILE"),
        ],
        notes: ["Whoever has the token is that user: hand it on like a password."])

    private let user: UserId
    private let role: UserRole
    private let lifetime: Duration
    private let secret: [UInt8]

    init(_ arguments: Arguments) throws(CommandFailure) {
        user = try arguments.required("--user", expected: "an id of A-Z a-z 0-9 _ . @ -", UserId.init)
        role = try arguments.value("--role", expected: "user or admin", UserRole.init(rawValue:)) ?? .user
        lifetime =
            try arguments.value("--for", expected: Values.durationForm, Values.duration)
            ?? .seconds(7 * 86_400)
        secret = try ServeSettings.secret(
            file: arguments.value("--secret-file").map { ($0, "--secret-file") },
            environment: ProcessInfo.processInfo.environment,
            advice: "use the server's, such as --secret-file data/secret")
    }

    func run() async throws(CommandFailure) -> Int32 {
        guard let signer = TokenSigner(secret: secret) else {
            throw CommandFailure(status: 1, message: "the secret is too short")
        }
        let now = Timestamp.now
        Output.line(
            signer.token(
                TokenClaims(
                    user: user, role: role, issuedAt: now,
                    expiresAt: now.advanced(bySeconds: lifetime.components.seconds))))
        return 0
    }
}
