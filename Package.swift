// swift-tools-version: 6.2
import PackageDescription

// Walls between modules stand here: a target imports what it lists, nothing else.
// C libraries come from the system (see script/setup); `import C…` stands only in the wrapper.

/// Whether this is a build of the fuzzer, see script/fuzz: every module is instrumented.
let isFuzzing = Context.environment["YONDER_FUZZ"] == "1"

let package = Package(
    name: "yonder",
    platforms: [.macOS(.v26), .iOS(.v18)],
    products: [
        .executable(name: "yonder", targets: ["yonder"]),
        .library(name: "YonderClient", targets: ["YonderClient"]),
        .library(name: "YonderLocation", targets: ["YonderLocation"]),
        .library(name: "YonderGeo", targets: ["YonderGeo"]),
        .library(name: "YonderViewport", targets: ["YonderViewport"]),
        .library(name: "YonderUI", targets: ["YonderUI"]),
    ],
    targets: [
        // The C libraries, as they are.
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(  // Debian ships no .pc file: the module map links it
            name: "CWslay", providers: [.apt(["libwslay-dev"]), .brew(["wslay"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CQREncode", pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
        .systemLibrary(  // sd-bus; Linux alone
            name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CYonderShims"),

        // Portable: no Foundation; these build as Embedded Swift for wasm32 too.
        .target(
            name: "YonderGeo",
            swiftSettings: [.enableExperimentalFeature("Extern", .when(platforms: [.wasi]))]),
        .target(name: "YonderRules", dependencies: ["YonderGeo"]),
        .target(name: "YonderViewport", dependencies: ["YonderGeo", "YonderRules"]),
        // What the page calls, see script/wasm; natively an empty program.
        .target(name: "CWasmRuntime"),
        .executableTarget(
            name: "YonderWasm", dependencies: ["CWasmRuntime", "YonderGeo", "YonderRules", "YonderViewport"]),

        // One wrapper a C library.
        .target(name: "YonderCrypto", dependencies: ["CCrypto"]),
        .target(name: "YonderSQLite", dependencies: ["CSQLite"]),
        .target(name: "YonderWebSocket", dependencies: ["CWslay", "YonderCrypto"]),
        .target(name: "YonderCurl", dependencies: ["CCurl", "YonderCrypto"]),
        .target(name: "YonderZip", dependencies: ["CZip"]),
        .target(name: "YonderSecretBox", dependencies: ["CSodium"]),
        .target(name: "YonderQR", dependencies: ["CQREncode"]),
        .target(
            name: "YonderGeoClue",
            dependencies: [.target(name: "CSystemd", condition: .when(platforms: [.linux]))]),

        // What both sides speak.
        .target(name: "YonderModel", dependencies: ["YonderRules", "YonderGeo"]),

        // The client's side.
        .target(
            name: "YonderLocation",
            dependencies: [
                "YonderGeo", "YonderModel", "YonderRules",
                .target(name: "YonderGeoClue", condition: .when(platforms: [.linux])),
            ]),
        .target(
            name: "YonderClient",
            dependencies: [
                "YonderModel", "YonderRules", "YonderSQLite",
                .target(name: "YonderCurl", condition: .when(platforms: [.linux])),
                .target(name: "YonderWebSocket", condition: .when(platforms: [.linux])),
                .target(name: "YonderCrypto", condition: .when(platforms: [.linux])),
            ]),

        // What the kits of the Apple platforms show, without their frameworks.
        .target(
            name: "YonderUI",
            dependencies: ["YonderClient", "YonderGeo", "YonderLocation", "YonderModel", "YonderRules"],
            resources: [.embedInCode("Resources/Localizable.xcstrings")]),

        // The server's side.
        .target(
            name: "YonderHTTP",
            dependencies: ["CMicroHTTPD", "CYonderShims", "YonderWebSocket", "YonderCrypto"]),
        .target(
            name: "YonderStore",
            dependencies: ["YonderGeo", "YonderModel", "YonderRules", "YonderSQLite"]),
        .target(
            name: "YonderFanout",
            dependencies: ["YonderModel", "YonderRules", "YonderHTTP", "YonderWebSocket"]),
        .target(name: "YonderMap", dependencies: ["CZlib"]),
        .target(
            name: "YonderServer",
            dependencies: [
                "YonderCrypto", "YonderFanout", "YonderGeo", "YonderHTTP", "YonderLocation",
                "YonderMap", "YonderModel", "YonderRules", "YonderSecretBox", "YonderStore", "YonderZip",
            ],
            resources: [.embedInCode("Resources/helsinki-walk.gpx"), .embedInCode("Resources/openapi.json")]),
        .executableTarget(
            name: "yonder",
            dependencies: [
                "YonderServer", "YonderClient", "YonderHTTP", "YonderLocation", "YonderModel", "YonderQR",
                "YonderSecretBox",
            ]),

        // Apps of others: nothing but what is public.
        .executableTarget(
            name: "GroupWalk", dependencies: ["YonderClient", "YonderGeo", "YonderLocation"],
            path: "Examples/GroupWalk", exclude: ["README.md"], packageAccess: false),
        .executableTarget(
            name: "Delivery", dependencies: ["YonderClient", "YonderLocation"], path: "Examples/Delivery",
            exclude: ["README.md"], packageAccess: false),

        // Measured, see script/benchmark.
        .executableTarget(
            name: "YonderBenchmark",
            dependencies: [
                "CYonderShims", "YonderCurl", "YonderModel", "YonderRules", "YonderServer",
                "YonderTestSupport",
            ],
            path: "Benchmarks/YonderBenchmark"),
        .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
        .executableTarget(
            name: "ViewportBenchmark", dependencies: ["CAllocations", "YonderGeo", "YonderViewport"],
            path: "Benchmarks/ViewportBenchmark"),
        .executableTarget(name: "FanoutRival", path: "Benchmarks/FanoutRival"),
        .executableTarget(
            name: "IngestRival", dependencies: ["CMicroHTTPD"], path: "Benchmarks/IngestRival"),

        .target(
            name: "YonderTestSupport", dependencies: ["YonderWebSocket"], path: "Tests/YonderTestSupport"),
        .testTarget(name: "YonderGeoTests", dependencies: ["YonderTestSupport", "YonderGeo"]),
        .testTarget(name: "YonderRulesTests", dependencies: ["YonderRules"]),
        .testTarget(
            name: "YonderUITests",
            dependencies: ["YonderUI", "YonderClient", "YonderLocation", "YonderModel", "YonderRules"]),
        .testTarget(
            name: "YonderViewportTests",
            dependencies: ["YonderTestSupport", "ViewportProofs", "YonderGeo", "YonderViewport"]),
        // What must hold of the engine; run as WebAssembly, too, see script/prove.
        .target(
            name: "ViewportProofs", dependencies: ["YonderGeo", "YonderViewport"],
            path: "Tests/ViewportProofs"),
        .executableTarget(
            name: "ProveViewport",
            dependencies: ["CWasmRuntime", "ViewportProofs", "YonderGeo", "YonderViewport"],
            path: "Tests/ProveViewport", exclude: ["compare.mjs", "prove.mjs", "vectors.mjs"]),
        .testTarget(name: "YonderModelTests", dependencies: ["YonderModel"]),
        .testTarget(name: "YonderCryptoTests", dependencies: ["YonderCrypto"]),
        .testTarget(name: "YonderSQLiteTests", dependencies: ["YonderSQLite"]),
        .testTarget(
            name: "YonderWebSocketTests", dependencies: ["YonderTestSupport", "YonderWebSocket"]),
        .testTarget(
            name: "YonderHTTPTests", dependencies: ["YonderTestSupport", "YonderHTTP", "YonderWebSocket"]),
        .testTarget(
            name: "YonderStoreTests",
            dependencies: [
                "YonderTestSupport", "YonderStore", "YonderGeo", "YonderModel", "YonderRules", "YonderSQLite",
            ]),
        .testTarget(name: "YonderMapTests", dependencies: ["YonderTestSupport", "YonderMap"]),
        .testTarget(
            name: "YonderLocationTests",
            dependencies: ["YonderTestSupport", "YonderLocation", "YonderGeo", "YonderModel", "YonderRules"],
            exclude: ["geoclue_agent.py"]),
        .testTarget(
            name: "YonderClientTests",
            dependencies: [
                "YonderTestSupport", "YonderClient", "YonderCurl", "YonderLocation", "YonderModel",
                "YonderRules", "YonderServer", "YonderSQLite", "YonderWebSocket",
            ]),
        .testTarget(
            name: "YonderCommandTests",
            dependencies: ["YonderTestSupport", "yonder", "YonderCurl", "YonderLocation", "YonderModel"]),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "YonderTestSupport", "GroupWalk", "Delivery", "yonder", "YonderClient", "YonderCurl",
            ]),
        .testTarget(
            name: "YonderFanoutTests",
            dependencies: ["YonderTestSupport", "YonderFanout", "YonderHTTP", "YonderModel", "YonderRules"]),
        .testTarget(
            name: "YonderServerTests",
            dependencies: [
                "YonderTestSupport", "YonderServer", "YonderCurl", "YonderWebSocket", "YonderSecretBox",
                "YonderSQLite", "YonderModel", "yonder",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// One source for both: the fuzzer, and the tests that replay its seeds.
let fuzzed: [Target.Dependency] = [
    "YonderClient", "YonderCrypto", "YonderGeo", "YonderHTTP", "YonderLocation", "YonderModel", "YonderRules",
    "YonderServer", "YonderWebSocket",
]
package.targets.append(
    isFuzzing
        ? .executableTarget(
            name: "YonderFuzz", dependencies: fuzzed, path: "Fuzz", exclude: ["Replay", "Seeds"],
            swiftSettings: [.enableExperimentalFeature("Extern")],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])  // gold breaks on libFuzzer
        : .testTarget(
            name: "YonderFuzzTests", dependencies: fuzzed, path: "Fuzz", exclude: ["LibFuzzer", "Seeds"]))

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("ImmutableWeakCaptures"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
            .treatWarning("ExplicitSendable", as: .error),
        ]
    if isFuzzing {
        target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]))
    }
}
