#if hasFeature(Embedded)
    import ViewportProofs

    /// How many proofs there are.
    @_expose(wasm, "proof_count") func proofCount() -> Int32 { Int32(Proof.all.count) }

    /// The address of a proof's name, UTF-8.
    @_expose(wasm, "proof_name") func proofName(_ index: Int32) -> UnsafePointer<UInt8> {
        Proof.all[Int(index)].name.utf8Start
    }

    /// Its length in bytes.
    @_expose(wasm, "proof_name_length") func proofNameLength(_ index: Int32) -> Int32 {
        Int32(Proof.all[Int(index)].name.utf8CodeUnitCount)
    }

    /// Checks cases: 0 where all hold, else the line that says how the first one does not.
    @_expose(wasm, "proof_run") func proofRun(_ index: Int32, _ seed: UInt32, _ cases: Int32) -> Int32 {
        Int32(Proof.all[Int(index)].failure(seed: UInt64(seed), cases: Int(cases))?.line ?? 0)
    }
#else
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif
    import ViewportProofs

    /// Proves everything natively: `ProveViewport [CASES [SEED]]`; `--samples N` prints numbers for compare.mjs,
    /// `--cycle` the frames of the button's cycle.
    @main struct ProveViewport {
        static func main() {
            switch CommandLine.arguments.dropFirst().first {
            case "--samples"?: return printSamples(Int(CommandLine.arguments.last ?? "") ?? 20_000)
            case "--cycle"?: return Cycle.printTable()
            default: break
            }
            let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
            let cases = Int(arguments.first.flatMap { $0 } ?? 100_000)
            let seed = arguments.dropFirst().first.flatMap { $0 } ?? 1
            var isProven = true
            for proof in Proof.all {
                if let failure = proof.failure(seed: seed, cases: cases) {
                    isProven = false
                    print("✘ \(proof.name): line \(failure.line), seed \(failure.seed)")
                } else {
                    print("✔ \(proof.name) (\(cases) cases)")
                }
            }
            if !isProven { exit(1) }
        }

        private static func printSamples(_ count: Int) {
            for (kind, sample) in Sample.all.enumerated() {
                for seed in 0..<count { print(kind, seed, sample.value(seed: UInt64(seed)), sample.name) }
            }
            print("grid", 0, Sample.gridDigest)
        }
    }
#endif
