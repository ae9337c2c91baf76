import YonderGeo

extension Position {
    /// What may be told of this position where only about where is told: the middle of its cell in the
    /// `PrivacyGrid`, as far uncertain as the cell is large, without altitude, heading and speed.
    ///
    /// - Parameter before: What was told before; its cell stays while it holds the position. `nil` = nothing.
    /// - Returns: A position that says the same wherever in the cell this one is.
    package func approximated(after before: Coordinate? = nil) -> Position {
        let cell =
            before.map { PrivacyGrid.Cell(containing: $0).next(for: coordinate) }
            ?? PrivacyGrid.Cell(containing: coordinate)
        var told = Position(coordinate: cell.center)
        told.accuracy = cell.radius.rounded(.up)
        told.battery = battery
        told.nextWithin = nextWithin
        return told
    }
}
