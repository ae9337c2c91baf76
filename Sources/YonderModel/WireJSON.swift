import Foundation

/// JSON as the protocol reads and writes it, for everything off the hot path.
public enum WireJSON: Sendable {
    /// Writes a value as UTF-8 JSON.
    ///
    /// The protocol's types always encode: their numbers are finite.
    public static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            preconditionFailure("a wire type did not encode: \(type(of: value))")
        }
    }

    /// Reads a body.
    ///
    /// - Throws: `WireError`: `.invalidJSON` for what is no UTF-8 JSON, else
    ///   `.invalidArgument` naming the wrong field by its JSON pointer.
    public static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws(WireError) -> T {
        guard !bytes.isEmpty else { throw WireError(.invalidJSON, "a JSON object is required") }
        // JSONDecoder would also take UTF-16 and UTF-32; the wire is UTF-8 alone.
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw WireError(.invalidJSON, "the body is not valid UTF-8")
        }
        // JSONDecoder would also take a comma before a closing bracket.
        var reader = ByteReader(bytes)
        guard (try? reader.skip()) != nil, reader.atEnd() else {
            throw WireError(.invalidJSON, "the body is not valid JSON")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as WireError {
            throw error
        } catch let error as DecodingError {
            let error = WireError(error)
            // It is JSON, whatever JSONDecoder says of it.
            throw error.code == .invalidJSON ? unfitNumber(in: bytes) : error
        } catch {
            throw WireError(.invalidJSON, "the body is not valid JSON")
        }
    }

    /// JSONDecoder calls JSON broken whose number the type cannot hold, and does not say where; on the wire
    /// it is a value out of range like any other. First sought is one that no Double holds, then one that no
    /// Int does. It also calls broken what it should read, as `0e4`: that has no place.
    private static func unfitNumber(in bytes: [UInt8]) -> WireError {
        for isUnfit: (Double) -> Bool in [{ !$0.isFinite }, { Int64(exactly: $0) == nil }] {
            var reader = ByteReader(bytes)
            if let pointer = try? reader.number(at: "", where: isUnfit), reader.atEnd() {
                return WireError(.invalidArgument, "the number is out of range", field: pointer)
            }
        }
        return WireError(.invalidArgument, "a number cannot be read, write it another way", field: "")
    }
}

extension WireError {
    /// What a decoding error means on the wire.
    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let expected, let context):
            self.init(
                .invalidArgument, "expected \(Self.word(for: expected))",
                field: Self.pointer(context.codingPath))
        case .valueNotFound(_, let context):
            self.init(
                .invalidArgument, "a value is required", field: Self.pointer(context.codingPath))
        case .keyNotFound(let key, let context):
            self.init(
                .invalidArgument, "\(key.stringValue) is required",
                field: Self.pointer(context.codingPath + [key]))
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(
                .invalidArgument, "the value is malformed or out of range",
                field: Self.pointer(context.codingPath))
        default:
            self.init(.invalidJSON, "the body is not valid JSON")
        }
    }

    private static func pointer(_ path: [any CodingKey]) -> String {
        path.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
    }

    private static func word(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryFloatingPoint.Type, is any BinaryInteger.Type: "a number"
        case is any Sequence.Type: "an object or a list"
        default: "another type"
        }
    }
}
