import Foundation
import Testing
import YonderCurl
import YonderLocation
import YonderTestSupport

@testable import yonder

/// What the commands say to people.
struct MessageTextTests {
    @Test(arguments: [
        (60.123456789, "60.12346"), (-33.9, "-33.9"), (0, "0"), (-0.000001, "0"), (0.00001, "0.00001"),
        (180, "180"), (100, "100"),
    ])
    func `degrees are short`(_ value: Double, _ text: String) { #expect(EventText.degrees(value) == text) }

    @Test(arguments: [
        (["help"], "usage: yonder COMMAND"), (["help", "share"], "usage: yonder share"),
        (["--version"], "yonder "), (["share", "--help"], "1m to the channel's limit"),
    ])
    func `help and version are found where people look`(_ words: [String], _ beginning: String) async throws {
        let program = try Program(words)
        #expect(try await program.status() == 0)
        #expect(program.text.contains(beginning))
    }

    @Test(arguments: [
        (["share", "--at", "60,", "24"], "yonder share: --at: expected LAT,LON without a space"),
        (["send", ""], "yonder send: expected a TEXT that is not empty"),
        (["send", " \n"], "yonder send: expected a TEXT that is not empty"),
        (["share", "--fro", "1h"], "yonder share: unknown option --fro: did you mean --for?"),
        (["wacht"], "yonder: unknown command 'wacht': did you mean watch?"),
    ])
    func `a slip is named with what was meant`(_ words: [String], _ text: String) async throws {
        let program = try Program(words)
        #expect(try await program.status() == 2)
        #expect(program.problemText.hasPrefix(text))
    }

    @Test func `no secret is another advice to who serves than to who makes a token`() async throws {
        let token = try Program(["token", "--user", "you"])
        #expect(try await token.status() == 1)
        #expect(token.problemText.contains("use the server's, such as --secret-file data/secret"))
        #expect(!token.problemText.contains("openssl"))
        let serve = try Program(["serve"])
        #expect(try await serve.status() == 1)
        #expect(serve.problemText.contains("(umask 077; openssl rand -base64 32 > secret)"))
    }

    @Test func `an unanswered address is named with what may help`() async throws {
        let silent = SilentListener()
        let port = silent.port
        silent.stop()
        var environment = [
            "YONDER_SERVER": "http://127.0.0.1:\(port)", "YONDER_CHANNEL": "messaging:berlin",
            "YONDER_TOKEN": "e30.eyJzdWIiOiJhbm5hIn0.x",
        ]
        let nobody = try Program(["send", "hi"], environment: environment)
        #expect(try await nobody.status() == 1)
        #expect(
            nobody.problemText
                == "yonder send: cannot connect: nobody answers at http://127.0.0.1:\(port): "
                + "is the server running?\n")
        try await Place.run { place in
            environment["YONDER_SERVER"] = place.base.replacing("http:", with: "https:")
            let plain = try Program(["send", "hi"], environment: environment)
            #expect(try await plain.status() == 1)
            #expect(plain.problemText.contains("is a plain http server, say http://"), "\(plain.problemText)")
        }
    }

    @Test func `an expired token and a stranger's channel are told from others`() async throws {
        try await Place.run { place in
            let token = try Program(["token", "--user", "anna", "--for", "1s"], environment: Place.secret)
            #expect(try await token.status() == 0)
            let watching = try Program(["watch"], environment: place.environment(token.lines[0]))
            #expect(try await watching.status() == 1)
            let advice = ": make a new one with `yonder token`\n"
            #expect(watching.problemText.hasSuffix(advice), "\(watching.problemText)")
            let late = try Program(["watch"], environment: place.environment(token.lines[0]))
            #expect(try await late.status() == 1)
            #expect(
                late.problemText == "yonder watch: cannot connect: the token has expired" + advice)
            let forged = try Program(["watch"], environment: place.environment("e30.eyJzdWIiOiJhbm5hIn0.x"))
            #expect(try await forged.status() == 1)
            #expect(!forged.problemText.contains("expired") && !forged.problemText.isEmpty)
            let stranger = try Program(
                ["share", "--at", "1,2", "--channel", "messaging:nowhere"],
                environment: place.environment(place.bob))
            #expect(try await stranger.status() == 1)
            #expect(stranger.problemText.contains("or the user is no member of it"))
        }
    }

    @Test(arguments: [("30s", "expected at least 1m"), ("9h", "expected at most 8h, the channel's limit")])
    func `a length that the channel does not allow is said in hours`(
        _ length: String, _ text: String
    ) async throws {
        try await Place.run { place in
            let share = try Program(
                ["share", "--at", "1,2", "--for", length], environment: place.environment(place.anna))
            #expect(try await share.status() == 2)
            #expect(share.problemText == "yonder share: --for: \(text)\n")
        }
    }
}
