#if hasFeature(Embedded)
    // Numbers go to and fro in two places of the memory, whose addresses JavaScript asks for.

    /// Doubles that JavaScript writes before a call, or reads after one.
    nonisolated(unsafe) var scratch = UnsafeMutableBufferPointer<Double>.allocate(capacity: 64)

    /// Makes room for so many doubles and says where it is; what was there before is gone.
    @_expose(wasm, "scratch_address") func scratchAddress(_ count: Int32) -> UnsafeMutablePointer<Double>? {
        let count = max(0, Int(count))
        if count > scratch.count {
            scratch.deallocate()
            scratch = .allocate(capacity: count)
        }
        return scratch.baseAddress
    }

    extension Double {
        /// JavaScript says NaN for what it does not know.
        var known: Double? { isNaN ? nil : self }
    }
#else
    /// Nothing here runs but in WebAssembly.
    @main struct NotForThisPlatform { static func main() {} }
#endif
