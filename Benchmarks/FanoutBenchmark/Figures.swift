import Foundation

/// What a server has to do.
struct Load {
    /// Milliseconds for which positions are gathered; 0: each goes in a send of its own.
    let tick: Int
    let shares: Int
    /// Positions of each share a second.
    let hertz: Double

    init(tick: Int, shares: Int, hertz: Double) {
        self.tick = tick
        self.shares = shares
        self.hertz = hertz
    }

    init(arguments: ArraySlice<String>) {
        let numbers = arguments.compactMap(Double.init)
        precondition(numbers.count == 3, "serve TICK_MS SHARES HERTZ")
        self.init(tick: Int(numbers[0]), shares: Int(numbers[1]), hertz: numbers[2])
    }

    var arguments: [String] { [String(tick), String(shares), String(hertz)] }
}

/// What was seen of a server.
struct Figures {
    let deliveriesPerSecond: Double
    /// The server's processor time.
    let microsecondsPerDelivery: Double
    /// Milliseconds from the making of a position to its reading: median, 99 of 100, largest.
    let ages: [Double]
    let mebibytes: Double

    init(_ result: ViewerCrowd.Result, cpuSeconds: Double, memory: Double) {
        deliveriesPerSecond = Double(result.deliveries) / result.seconds
        microsecondsPerDelivery = cpuSeconds * 1e6 / Double(max(1, result.deliveries))
        let sorted = result.ages.sorted()
        ages = [0.5, 0.99, 1].map { part in
            sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
        }
        mebibytes = memory
    }

    init(medianOf all: [Figures]) {
        func median(_ value: (Figures) -> Double) -> Double { all.map(value).sorted()[all.count / 2] }
        deliveriesPerSecond = median(\.deliveriesPerSecond)
        microsecondsPerDelivery = median(\.microsecondsPerDelivery)
        ages = (0..<3).map { index in median { $0.ages[index] } }
        mebibytes = median(\.mebibytes)
    }

    func report(_ name: String) {
        print("  \(name), server CPU per delivery: \(microsecondsPerDelivery.text(3)) µs")
        print("  \(name), deliveries per second: \(deliveriesPerSecond.text(0))")
        print("  \(name), age p50 / p99 / max: \(ages.map { $0.text(1) }.joined(separator: " / ")) ms")
        print("  \(name), resident memory: \(mebibytes.text(1)) MiB")
    }
}

extension Double {
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
