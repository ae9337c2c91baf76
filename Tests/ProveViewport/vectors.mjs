// The computed vectors against a wasm file: node vectors.mjs FILE VECTORS.json
import { readFileSync } from "node:fs";

const [file, table] = process.argv.slice(2);
const { asin, atan2, cos, exp, log, sin } = Math;
const { exports: wasm } = new WebAssembly.Instance(
    new WebAssembly.Module(readFileSync(file)), { env: { asin, atan2, cos, exp, log, sin } });
const vectors = JSON.parse(readFileSync(table, "utf8"));
const padding = (edges) => edges ?? [0, 0, 0, 0];
/**
 * In place of the table's, whose formulas cancel where places are close: from 40 digits, up to 4e-7 degrees away. On the
 * sphere, and both of the ellipsoid.
 */
const exactBearings = { "step_0.1m_NE": [45.00000138862773978, 45.04773470129073290, 45.04773581031050676] };
let checked = 0;

/** Calls a function of rows: numbers in, numbers out. */
function call(name, numbers, ...more) {
    const row = new Float64Array(wasm.memory.buffer, wasm.row_address(), 32);
    row.set(numbers);
    wasm[name](...more);
    return row;
}

function check(what, got, wanted, tolerance = 1e-9) {
    checked++;
    if (Math.abs(got - wanted) <= tolerance * Math.max(1, Math.abs(wanted))) return;
    console.log(`✘ ${what}: ${got}, not ${wanted}`);
    process.exitCode = 1;
}

/** A direction; a whole turn more or less is the same. */
const checkDirection = (what, got, wanted) => check(what, wanted + ((((got - wanted + 180) % 360) + 360) % 360) - 180, wanted);

for (const { from, to, delta } of vectors.bearing) check(`turn ${from} ${to}`, wasm.vector_turn(from, to), delta);
for (const { from, to, f, expected } of vectors.longitude_interpolation) {
    check(`longitude ${from} ${to} ${f}`, wasm.vector_longitude(from, to, f), expected);
}
for (const { name, lng, lat, x, y, px_z13_x, px_z13_y } of vectors.mercator) {
    const [gotX, gotY] = call("vector_project", [lng, lat]);
    check(`mercator ${name} x`, gotX, x);
    check(`mercator ${name} y`, gotY, y);
    check(`mercator ${name} pixels right`, gotX * 512 * 2 ** 13, px_z13_x);
    check(`mercator ${name} pixels down`, gotY * 512 * 2 ** 13, px_z13_y);
}
for (const { lat, zoom, metres_per_pixel, ring_radius_px_for_20_m } of vectors.metres_per_pixel) {
    check(`scale ${lat} ${zoom}`, wasm.vector_scale(lat, zoom), metres_per_pixel);
    check(`ring ${lat} ${zoom}`, 20 / wasm.vector_scale(lat, zoom), ring_radius_px_for_20_m);
}
for (const row of vectors.distance) {
    const bearings = exactBearings[row.name] ?? [row.spherical_initial_bearing, row.geodesic_azimuth_1, row.geodesic_azimuth_2];
    const [haversine, geodesic, ...got] = call("vector_distance", [...row.from_lng_lat, ...row.to_lng_lat]);
    check(`haversine ${row.name}`, haversine, row.haversine_m);
    check(`geodesic ${row.name}`, geodesic, row.geodesic_m);
    bearings.forEach((bearing, i) => checkDirection(`bearing ${i} ${row.name}`, got[i], bearing));
}
for (const row of vectors.destination) {
    const [sphereLng, sphereLat, lng, lat] = call("vector_destination", [...row.from_lng_lat, row.bearing, row.distance_m]);
    check("destination's longitude", sphereLng, row.spherical_lng_lat[0]);
    check("destination's latitude", sphereLat, row.spherical_lng_lat[1]);
    check("geodesic destination's longitude", lng, row.geodesic_lng_lat[0]);
    check("geodesic destination's latitude", lat, row.geodesic_lng_lat[1]);
}
for (const { from, to, dt, mps } of vectors.implied_speed) {
    check("speed", call("vector_speed", [...from, ...to, dt])[0], mps);
}
for (const [name, values] of Object.entries(vectors.easing)) {
    if (name === "t") continue;
    const points = name === "linear" ? [0, 0, 1, 1] : name.match(/\((.*)\)/)[1].split(",").map(Number);
    values.forEach((value, i) => check(`${name} ${i}`, wasm.vector_easing(...points, vectors.easing.t[i]), value, 1e-6));
}
for (const flight of vectors.flyTo) {
    if (!flight.samples) continue;
    const screenful = Math.max(...flight.viewport);
    const input = [flight.u1, flight.z0, flight.z1, screenful, flight.curve, flight.minZoom];
    for (const sample of flight.samples) {
        const part = sample.easing === "ease" ? wasm.vector_easing(0.25, 0.1, 0.25, 1, sample.t) : sample.t;
        const what = `${flight.name} at ${sample.t} ${sample.easing}`;
        const [rho, length, zoom, crossed] = call("vector_flight", [...input, part]);
        check(`${what} rho`, rho, flight.rho);
        check(`${what} S`, length, flight.S);
        check(`${what} duration`, length / flight.speed, flight.duration_s);
        check(`${what} zoom`, zoom, sample.zoom, 1e-6);
        if (flight.u1 > 0 && part > 0 && part < 1) check(`${what} crossed`, crossed, sample.center_fraction, 1e-6);
        if (sample.easing !== "ease" || flight.curve !== 1.42) continue;
        const last = flight.samples.at(-1);
        const [lng, lat, z, bearing, pitch] = call("vector_fly", [
            ...flight.from_lng_lat, flight.z0, flight.bearing_start, flight.samples[0].pitch,
            ...flight.to_lng_lat, flight.z1, flight.bearing_end, last.pitch, ...flight.viewport], 1, sample.t);
        check(`${what} longitude`, 0, ((lng - sample.lng + 540) % 360) - 180, 1e-6);
        check(`${what} latitude`, lat, sample.lat, 1e-6);
        check(`${what} camera's zoom`, z, sample.zoom, 1e-6);
        check(`${what} bearing`, 0, ((bearing - sample.bearing + 540) % 360) - 180, 1e-6);
        check(`${what} pitch`, pitch, sample.pitch, 1e-6);
    }
}
for (const fit of vectors.camera_for_bounds) {
    const [lng, lat, zoom, bearing] = call("vector_fit", [
        ...fit.w_s_e_n, ...fit.viewport, ...padding(fit.mappad), ...padding(fit.pad), fit.bearing ?? 0, fit.max_zoom ?? NaN,
        ...(fit.offset ?? [0, 0])]);
    check(`${fit.name} zoom`, zoom, fit.expected.zoom);
    check(`${fit.name} longitude`, lng, fit.expected.center_lng);
    check(`${fit.name} latitude`, lat, fit.expected.center_lat);
    check(`${fit.name} bearing`, bearing, fit.expected.bearing);
}
for (const { from, to, t, expected } of vectors.puck_heading) {
    check(`heading ${from} ${to} ${t}`, wasm.vector_heading(from, to, t), expected);
}
for (const { viewport, top_right_bottom_left: edges, expected_center_px: [x, y] } of vectors.padding_center) {
    const [gotX, gotY] = call("vector_focus", [...viewport, ...edges]);
    check(`focus ${edges} x`, gotX, x);
    check(`focus ${edges} y`, gotY, y);
}
console.log(`${process.exitCode ? "✘" : "✔"} the computed vectors (${checked} numbers)`);
