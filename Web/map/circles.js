// The accuracy of positions as true circles on the ground.
import { circleRing } from "../geo.js";

const emptyCollection = { type: "FeatureCollection", features: [] };

export class Circles {
    /** When they were drawn last; in the time of `performance.now()`. */
    drawnAt = 0;

    constructor(map) {
        this.map = map;
    }

    /** To be called for each style that the map gets. */
    add() {
        const { map } = this;
        if (map.getSource("accuracy")) return;
        map.addSource("accuracy", { type: "geojson", data: emptyCollection });
        map.addLayer({ id: "accuracy-fill", type: "fill", source: "accuracy",
            paint: { "fill-color": ["get", "color"], "fill-opacity": 0.12 } });
        map.addLayer({ id: "accuracy-rim", type: "line", source: "accuracy",
            paint: { "line-color": ["get", "color"], "line-opacity": 0.35, "line-width": 1 } });
    }

    /** circles: [{position, meters, color}]; `corners` each. */
    draw(circles, corners, now) {
        this.drawnAt = now;
        const features = circles.map(({ position, meters, color }) => ({
            type: "Feature", properties: { color },
            geometry: { type: "Polygon", coordinates: [circleRing(position, meters, corners)] },
        }));
        this.map.getSource("accuracy")?.setData({ type: "FeatureCollection", features });
    }
}
