import Foundation

/// What a process has used, from `/proc`.
struct ProcessUsage {
    /// User and system time of all its threads.
    let cpuSeconds: Double
    /// The part of that in the kernel.
    let kernelSeconds: Double
    let residentMebibytes: Double

    init(of id: pid_t) {
        let stat = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
        // The name in parentheses may hold anything; utime and stime are the 12th and 13th word after it.
        let words = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let times = words.dropFirst(12).prefix(2).compactMap { Double($0) }
        let second = Double(sysconf(Int32(_SC_CLK_TCK)))
        cpuSeconds = times.reduce(0, +) / second
        kernelSeconds = (times.last ?? 0) / second
        let statm = (try? String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8)) ?? ""
        let pages = statm.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        residentMebibytes = pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
}

/// Milliseconds of the clock that all processes of the machine share.
func monotonicMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
