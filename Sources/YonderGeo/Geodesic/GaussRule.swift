/// Gauss and Legendre's rule with 16 nodes (Abramowitz and Stegun, table 25.4).
enum GaussRule {
    private static let nodes: [(Double, Double)] = [
        (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
        (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
        (0.458_016_777_657_227_4, 0.169_156_519_395_002_5),
        (0.617_876_244_402_643_7, 0.149_595_988_816_576_7),
        (0.755_404_408_355_003, 0.124_628_971_255_533_9), (0.865_631_202_387_831_7, 0.095_158_511_682_492_8),
        (0.944_575_023_073_232_6, 0.062_253_523_938_647_9),
        (0.989_400_934_991_649_9, 0.027_152_459_411_754_1),
    ]

    /// The integral of a smooth function over an arc, in pieces of at most half a turn.
    static func sum(from start: Double, over arc: Double, _ function: (Double) -> Double) -> Double {
        let pieces = max(1, (abs(arc) / .pi).rounded(.up))
        let half = arc / pieces / 2
        var sum = 0.0
        for piece in 0..<Int(pieces) {
            let middle = start + half * (2 * Double(piece) + 1)
            for (node, weight) in nodes {
                sum += weight * (function(middle - half * node) + function(middle + half * node))
            }
        }
        return sum * half
    }
}
