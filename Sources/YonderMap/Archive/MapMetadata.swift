import Foundation

/// What a map says about itself: the JSON part of a PMTiles archive.
///
/// Unknown keys are ignored; missing ones are empty.
public struct MapMetadata: Hashable, Sendable, Decodable {
    /// A layer that some tile of the map may hold.
    public struct Layer: Hashable, Sendable, Decodable {
        public let id: String
    }

    /// The map's title for people; `nil` if it has none.
    public let name: String?
    /// Whom to name on the map; plain text or HTML, `nil` if nobody asks for it.
    public let attribution: String?
    /// The layers of its tiles, in no particular order.
    public let layers: [Layer]

    private enum CodingKeys: String, CodingKey {
        case name, attribution
        case layers = "vector_layers"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        attribution = try container.decodeIfPresent(String.self, forKey: .attribution)
        layers = try container.decodeIfPresent([Layer].self, forKey: .layers) ?? []
    }

    init(json: [UInt8]) throws(MapError) {
        do {
            self = try JSONDecoder().decode(MapMetadata.self, from: Data(json))
        } catch {
            throw MapError(.malformed, "the metadata is not the JSON it should be")
        }
    }
}
