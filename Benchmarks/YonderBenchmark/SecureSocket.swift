import Foundation
import YonderCurl
import YonderTestSupport

/// The same with TLS, to an nginx of the tests.
final class SecureSocket: LoadSocket {
    private let connection: CurlConnection
    private var rest: ArraySlice<UInt8> = []

    init(_ nginx: Nginx) throws {
        connection = try CurlConnection(url: nginx.base, caFile: TestCertificate.file.path())
    }

    var descriptor: Int32 { connection.descriptor }

    /// Until there is nothing: what TLS has read from the socket the kernel does not tell of again.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            if rest.isEmpty {
                switch try? connection.receive() {
                case .bytes(let bytes): rest = bytes[...]
                case .nothing: return count == 0 ? -1 : count
                case .end, nil: return count
                }
            }
            let piece = rest.prefix(buffer.count - count)
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            count += piece.count
        }
        return count
    }

    func write(_ bytes: [UInt8]) throws {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let sent = try connection.send(bytes)
            bytes = bytes.dropFirst(sent)
            if sent == 0 { connection.wait(toSend: true, timeout: .seconds(1)) }
        }
    }

    /// With its last owner.
    func close() {}
}
