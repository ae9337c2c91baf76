import Glibc

private typealias OneInput = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// libFuzzer itself, see https://llvm.org/docs/LibFuzzer.html
@_extern(c, "LLVMFuzzerRunDriver") private func runLibFuzzer(
    _ argc: UnsafeMutablePointer<CInt>, _ argv: UnsafeMutablePointer<Arguments>, _ oneInput: OneInput
) -> CInt

/// The fuzzer's program. `YONDER_FUZZ_TARGET` names the target, as libFuzzer starts itself again with the same
/// arguments; these are its own, see script/fuzz.
@main
struct YonderFuzz {
    private static let target = getenv("YONDER_FUZZ_TARGET").flatMap {
        FuzzTarget(rawValue: String(cString: $0))
    }

    static func main() {
        guard target != nil else { fatalError("YONDER_FUZZ_TARGET names no target") }
        var argc = CommandLine.argc
        var argv = CommandLine.unsafeArgv
        exit(
            runLibFuzzer(&argc, &argv) { bytes, count in
                do throws(BrokenPromise) {
                    try YonderFuzz.target?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
                } catch {
                    fatalError(error.description)
                }
                return 0
            })
    }
}
