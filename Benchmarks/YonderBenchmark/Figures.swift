import Foundation

/// What was seen of a server that sends positions.
struct Figures {
    let deliveriesPerSecond: Double
    let bytesPerDelivery: Double
    /// The server's processor time.
    let microsecondsPerDelivery: Double
    /// The part of that in the kernel.
    let kernelMicroseconds: Double
    /// Milliseconds from the making of a position to its reading: median, 99 of 100, largest.
    let ages: [Double]
    let mebibytes: Double

    init(_ result: ViewerCrowd.Result, _ usage: ProcessUsage, since before: ProcessUsage) {
        let deliveries = Double(max(1, result.deliveries))
        deliveriesPerSecond = Double(result.deliveries) / result.seconds
        bytesPerDelivery = Double(result.bytes) / deliveries
        microsecondsPerDelivery = (usage.cpuSeconds - before.cpuSeconds) * 1e6 / deliveries
        kernelMicroseconds = (usage.kernelSeconds - before.kernelSeconds) * 1e6 / deliveries
        ages = percentiles(result.ages)
        mebibytes = usage.residentMebibytes
    }

    init(medianOf all: [Figures]) {
        deliveriesPerSecond = median(all.map(\.deliveriesPerSecond))
        bytesPerDelivery = median(all.map(\.bytesPerDelivery))
        microsecondsPerDelivery = median(all.map(\.microsecondsPerDelivery))
        kernelMicroseconds = median(all.map(\.kernelMicroseconds))
        ages = (0..<3).map { index in median(all.map { $0.ages[index] }) }
        mebibytes = median(all.map(\.mebibytes))
    }

    func report(_ name: String) {
        print("  \(name), server CPU per delivery: \(microsecondsPerDelivery.text(3)) µs")
        print("  \(name), of that in the kernel: \(kernelMicroseconds.text(3)) µs")
        print("  \(name), deliveries per second: \(deliveriesPerSecond.text(0))")
        print("  \(name), bytes per delivery: \(bytesPerDelivery.text(0))")
        print("  \(name), age p50 / p99 / max: \(ages.map { $0.text(1) }.joined(separator: " / ")) ms")
        print("  \(name), resident memory: \(mebibytes.text(1)) MiB")
    }
}

/// The median, 99 of 100, and the largest.
func percentiles(_ values: [Double]) -> [Double] {
    let sorted = values.sorted()
    return [0.5, 0.99, 1].map { part in
        sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

extension Double {
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
