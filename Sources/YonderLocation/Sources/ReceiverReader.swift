import Foundation
import Synchronization
import YonderModel

/// What a receiver has said.
enum ReceiverOutput: Hashable {
    case fix(Fix)
    case heading(Heading)
    /// It works and has no fix now.
    case noFix
}

/// Makes fixes of a receiver's bytes.
protocol ReceiverReader: Sendable {
    init()
    /// Reads some bytes; lines may be cut anywhere.
    mutating func read(_ bytes: some Sequence<UInt8>, now: Date) -> [ReceiverOutput]
    /// Nothing more is to come of this moment; `isCut`: the bytes may end in its middle.
    mutating func finish(isCut: Bool, now: Date) -> [ReceiverOutput]
}

/// Makes events of what a feed says, each time anew when it is opened.
final class Receiver<Reader: ReceiverReader>: Sendable {
    private struct State {
        var reader = Reader()
        /// Whether the receiver has said that it has no fix: that is told once.
        var isWithoutFix = false
    }

    private let state = Mutex(State())

    func events(of signal: ByteFeed.Signal) -> [LocationSourceEvent] {
        state.withLock { state in
            switch signal {
            case .opened:
                state = State()
                return []
            case .bytes(let bytes): return Self.events(of: state.reader.read(bytes, now: Date()), &state)
            case .silence: return Self.events(of: state.reader.finish(isCut: false, now: Date()), &state)
            case .failed(let error): return [.failure(error)]
            case .ended:
                return Self.events(of: state.reader.finish(isCut: true, now: Date()), &state) + [.ended]
            }
        }
    }

    private static func events(of outputs: [ReceiverOutput], _ state: inout State) -> [LocationSourceEvent] {
        outputs.compactMap { output in
            switch output {
            case .fix(let fix):
                state.isWithoutFix = false
                return .fix(fix)
            case .heading(let heading): return .heading(heading)
            case .noFix:
                defer { state.isWithoutFix = true }
                return state.isWithoutFix ? nil : .failure(.positionUnavailable)
            }
        }
    }
}
