// Small still maps for messages: one hidden map, drawn for one place after another; each picture is kept.
import { mapFailed, onThemeChange, styleUrl, themeName, transformRequest } from "./theme.js";

export const stillZoom = 14.5;
const keptPictures = 120;
const drawWithinMillis = 8000;
const idleMillis = 30_000;

export class StillMaps {
    #map = null;
    #queue = new Map();
    #pictures = new Map();
    #isDrawing = false;
    /** No graphics context to be had: asking again for each picture would only warm the device. */
    #isImpossible = false;
    #idleTimer = null;

    constructor() {
        onThemeChange(() => this.#dropMap());
    }

    /** The picture around a place, {latitude, longitude, zoom}, as a blob URL; undefined while it is drawn, `onReady` is called then. */
    picture(position, size, onReady) {
        if (this.#isImpossible) return undefined;
        const place = `${position.latitude.toFixed(5)} ${position.longitude.toFixed(5)} ${position.zoom.toFixed(2)}`;
        const key = `${themeName()} ${size.width}x${size.height} ${place}`;
        const known = this.#pictures.get(key);
        if (known) return known;
        if (!this.#queue.has(key)) this.#queue.set(key, { position, size, listeners: new Set() });
        this.#queue.get(key).listeners.add(onReady);
        this.#drawNext();
        return undefined;
    }

    async #drawNext() {
        if (this.#isDrawing || this.#queue.size === 0) return;
        this.#isDrawing = true;
        clearTimeout(this.#idleTimer);
        const [key, { position, size, listeners }] = this.#queue.entries().next().value;
        let url;
        try {
            url = await this.#draw(position, size);
        } catch (error) {
            this.#isImpossible = this.#map === null;
            mapFailed({ error });
        } finally {
            this.#queue.delete(key);
            this.#isDrawing = false;
        }
        if (url) this.#keep(key, url);
        for (const listener of listeners) listener(url);
        if (this.#queue.size === 0) this.#idleTimer = setTimeout(() => this.#dropMap(), idleMillis);
        this.#drawNext();
    }

    async #draw(position, { width, height }) {
        const map = this.#map ??= this.#makeMap();
        const box = map.getContainer();
        box.style.width = `${width}px`;
        box.style.height = `${height}px`;
        map.resize();
        map.jumpTo({ center: [position.longitude, position.latitude], zoom: position.zoom });
        map.triggerRepaint();
        const isDrawn = await Promise.race([
            new Promise((resolve) => map.once("idle", () => resolve(true))),
            new Promise((resolve) => setTimeout(() => resolve(false), drawWithinMillis)),
        ]);
        if (!isDrawn || map !== this.#map) return undefined;
        const blob = await new Promise((resolve) => map.getCanvas().toBlob(resolve, "image/png"));
        return blob ? URL.createObjectURL(blob) : undefined;
    }

    #makeMap() {
        const box = document.createElement("div");
        box.className = "still-workbench";
        box.setAttribute("aria-hidden", "true");
        box.inert = true;
        document.body.append(box);
        try {
            const map = new maplibregl.Map({
                container: box, style: styleUrl(), transformRequest, interactive: false, attributionControl: false,
                fadeDuration: 0, zoom: stillZoom,
                pixelRatio: Math.min(2, devicePixelRatio), canvasContextAttributes: { preserveDrawingBuffer: true },
            });
            map.on("error", mapFailed);
            return map;
        } catch (error) {
            box.remove();
            throw error;
        }
    }

    /** A graphics context is dear: it is given back when no picture was wanted for a while. */
    #dropMap() {
        const map = this.#map;
        this.#map = null;
        if (!map) return;
        const box = map.getContainer();
        map.remove();
        box.remove();
    }

    #keep(key, url) {
        this.#pictures.set(key, url);
        if (this.#pictures.size <= keptPictures) return;
        const oldest = this.#pictures.keys().next().value;
        URL.revokeObjectURL(this.#pictures.get(oldest));
        this.#pictures.delete(oldest);
    }
}
