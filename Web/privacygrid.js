// The server's fixed grid of cells of about 1.2 km: what an approximate share tells in place of a position. The page
// needs it for the preview alone; what goes out is coarsened by the server, whatever is drawn here. Pure.
import { answers, engine } from "./engine.js";

/** The middle of a position's cell, and how far its corners are: all that others would see. */
export function approximated({ latitude, longitude }) {
    engine.geo_cell(longitude, latitude);
    const [cellLongitude, cellLatitude, radius] = answers();
    return { latitude: cellLatitude, longitude: cellLongitude, accuracy: Math.ceil(radius), precision: "approximate" };
}
