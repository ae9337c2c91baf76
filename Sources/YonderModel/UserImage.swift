import Foundation

/// A user's picture as the wire has it: `data:image/png;base64,…`, never an address elsewhere.
public enum UserImage: Sendable {
    /// Most bytes of a picture: 32 KiB.
    public static let maxBytes = 32_768

    /// Media types and what a file of each begins with.
    private static let types: [(name: String, isMeant: @Sendable (Data) -> Bool)] = [
        ("image/png", { $0.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) }),
        ("image/jpeg", { $0.starts(with: [0xFF, 0xD8, 0xFF]) }),
        (
            "image/webp",
            { $0.starts(with: "RIFF".utf8) && $0.dropFirst(8).starts(with: "WEBP".utf8) }
        ),
    ]

    /// Looks whether a text is a picture that a user may have.
    ///
    /// - Parameter url: The text.
    /// - Returns: What is wrong with it; `nil` = nothing.
    public static func problem(with url: String) -> String? {
        let form = "must be a data: URL of a PNG, JPEG or WebP in base64"
        guard let comma = url.firstIndex(of: ","),
            let data = Data(base64Encoded: String(url[comma...].dropFirst()))
        else { return form }
        // Byte by byte: to String a Greek question mark is a semicolon, and to browsers it is not.
        let start = url[..<comma].utf8
        guard let type = types.first(where: { start.elementsEqual("data:\($0.name);base64".utf8) }) else {
            return form
        }
        guard data.count <= maxBytes else { return "at most \(maxBytes) bytes" }
        guard type.isMeant(data) else { return "its bytes are no \(type.name)" }
        return nil
    }
}
