import CQREncode

/// A QR code (ISO/IEC 18004), made by libqrencode.
package struct QRCode: Sendable {
    /// Modules on a side, without the quiet zone.
    package let width: Int
    private let isDark: [Bool]

    /// - Parameter text: At most 2,331 bytes of UTF-8, of which a code can hold no more at this level of correction
    ///   (M, 15 %); `nil` is returned for a longer one, and for none.
    package init?(_ text: String) {
        guard !text.isEmpty, let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        isDark = (0..<width * width).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// The code for a terminal of either colour: two rows of modules a line, with a light border of two, dark on light.
    package var terminalText: String {
        let border = 2
        func isDark(_ row: Int, _ column: Int) -> Bool {
            (0..<width).contains(row) && (0..<width).contains(column) && self.isDark[row * width + column]
        }
        let range = -border..<width + border
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = range.map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (false, false): "\u{2588}"
                case (false, true): "\u{2580}"
                case (true, false): "\u{2584}"
                case (true, true): " "
                }
            }
            // White on black, whatever the terminal's own colours are.
            return "\u{1B}[97;40m" + line.joined() + "\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
