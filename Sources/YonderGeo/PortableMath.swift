#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The few transcendental functions that geodesy and cameras need, from the C library natively and from
/// JavaScript's `Math` in WebAssembly.
///
/// The two agree to about 1e-7 m on the Earth's surface, not bit for bit: docs/DESIGN.md says why that is enough.
package enum PortableMath {
    #if canImport(Glibc)
        package static func sin(_ x: Double) -> Double { Glibc.sin(x) }
        package static func cos(_ x: Double) -> Double { Glibc.cos(x) }
        package static func asin(_ x: Double) -> Double { Glibc.asin(x) }
        package static func atan2(_ y: Double, _ x: Double) -> Double { Glibc.atan2(y, x) }
        package static func log(_ x: Double) -> Double { Glibc.log(x) }
        package static func exp(_ x: Double) -> Double { Glibc.exp(x) }
    #elseif canImport(Darwin)
        package static func sin(_ x: Double) -> Double { Darwin.sin(x) }
        package static func cos(_ x: Double) -> Double { Darwin.cos(x) }
        package static func asin(_ x: Double) -> Double { Darwin.asin(x) }
        package static func atan2(_ y: Double, _ x: Double) -> Double { Darwin.atan2(y, x) }
        package static func log(_ x: Double) -> Double { Darwin.log(x) }
        package static func exp(_ x: Double) -> Double { Darwin.exp(x) }
    #else
        package static func sin(_ x: Double) -> Double { importedSin(x) }
        package static func cos(_ x: Double) -> Double { importedCos(x) }
        package static func asin(_ x: Double) -> Double { importedAsin(x) }
        package static func atan2(_ y: Double, _ x: Double) -> Double { importedAtan2(y, x) }
        package static func log(_ x: Double) -> Double { importedLog(x) }
        package static func exp(_ x: Double) -> Double { importedExp(x) }
    #endif

    private static let ln2 = 0.693_147_180_559_945_3

    /// The logarithm to base 2.
    package static func log2(_ x: Double) -> Double { log(x) / ln2 }
    /// 2 to the power of `x`.
    package static func exp2(_ x: Double) -> Double { exp(x * ln2) }
    /// The hyperbolic sine.
    package static func sinh(_ x: Double) -> Double {
        // By its series where the exponentials would cancel.
        if abs(x) < 1e-3 { return x * (1 + x * x / 6 * (1 + x * x / 20)) }
        return (exp(x) - exp(-x)) / 2
    }
    /// The hyperbolic cosine.
    package static func cosh(_ x: Double) -> Double { (exp(x) + exp(-x)) / 2 }
    /// The inverse hyperbolic sine, odd also where the logarithm's terms would cancel.
    package static func asinh(_ x: Double) -> Double {
        let size = abs(x)
        if size < 1e-3 { return x * (1 - x * x / 6 * (1 - x * x * 9 / 20)) }
        let root = log(size + (size * size + 1).squareRoot())
        return x < 0 ? -root : root
    }
}

#if !canImport(Glibc) && !canImport(Darwin)
    @_extern(wasm, module: "env", name: "sin") private func importedSin(_ x: Double) -> Double
    @_extern(wasm, module: "env", name: "cos") private func importedCos(_ x: Double) -> Double
    @_extern(wasm, module: "env", name: "asin") private func importedAsin(_ x: Double) -> Double
    @_extern(wasm, module: "env", name: "atan2")
    private func importedAtan2(_ y: Double, _ x: Double) -> Double
    @_extern(wasm, module: "env", name: "log") private func importedLog(_ x: Double) -> Double
    @_extern(wasm, module: "env", name: "exp") private func importedExp(_ x: Double) -> Double
#endif

extension Double {
    package var radians: Double { self * .pi / 180 }
    package var degrees: Double { self * 180 / .pi }
}
