// The server's fixed grid of cells of about 1.2 km: what an approximate share tells in place of a position. The page
// needs it for the preview alone; what goes out is coarsened by the server, whatever is drawn here. Pure.
import { distanceMeters, earthRadiusMeters } from "./geo.js";

const cellMeters = 1200;
const bandCount = Math.round((Math.PI * earthRadiusMeters) / cellMeters);
const bandDegrees = 180 / bandCount;

/** The middle of a position's cell, and how far its corners are: all that others would see. */
export function approximated({ latitude, longitude }) {
    const band = Math.min(Math.floor((latitude + 90) / bandDegrees), bandCount - 1);
    const middle = (band + 0.5) * bandDegrees - 90;
    const around = 2 * Math.PI * earthRadiusMeters * Math.cos((middle * Math.PI) / 180);
    const columns = Math.max(1, Math.round(around / cellMeters));
    const column = Math.floor(((longitude + 180) / 360) * columns) % columns;
    const cell = { latitude: middle, longitude: (column + 0.5) * (360 / columns) - 180 };
    // The corners towards the equator are the farther ones.
    const [south, north] = [middle - bandDegrees / 2, middle + bandDegrees / 2];
    const corner = {
        latitude: Math.abs(south) < Math.abs(north) ? south : north, longitude: cell.longitude - 180 / columns,
    };
    return { ...cell, accuracy: Math.ceil(distanceMeters(cell, corner)), precision: "approximate" };
}
