#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The few transcendental functions that geodesy needs, from the C library
/// natively and from JavaScript's `Math` in WebAssembly.
///
/// The two agree to about 1e-7 m on the Earth's surface, not bit for bit.
enum PortableMath {
    #if canImport(Glibc)
        static func sin(_ x: Double) -> Double { Glibc.sin(x) }
        static func cos(_ x: Double) -> Double { Glibc.cos(x) }
        static func asin(_ x: Double) -> Double { Glibc.asin(x) }
        static func atan2(_ y: Double, _ x: Double) -> Double { Glibc.atan2(y, x) }
    #elseif canImport(Darwin)
        static func sin(_ x: Double) -> Double { Darwin.sin(x) }
        static func cos(_ x: Double) -> Double { Darwin.cos(x) }
        static func asin(_ x: Double) -> Double { Darwin.asin(x) }
        static func atan2(_ y: Double, _ x: Double) -> Double { Darwin.atan2(y, x) }
    #else
        static func sin(_ x: Double) -> Double { importedSin(x) }
        static func cos(_ x: Double) -> Double { importedCos(x) }
        static func asin(_ x: Double) -> Double { importedAsin(x) }
        static func atan2(_ y: Double, _ x: Double) -> Double { importedAtan2(y, x) }
    #endif
}

#if !canImport(Glibc) && !canImport(Darwin)
    @_extern(wasm, module: "env", name: "sin") private func importedSin(_ x: Double) -> Double
    @_extern(wasm, module: "env", name: "cos") private func importedCos(_ x: Double) -> Double
    @_extern(wasm, module: "env", name: "asin") private func importedAsin(_ x: Double) -> Double
    @_extern(wasm, module: "env", name: "atan2")
    private func importedAtan2(_ y: Double, _ x: Double) -> Double
#endif

extension Double {
    var radians: Double { self * .pi / 180 }
    var degrees: Double { self * 180 / .pi }
}
