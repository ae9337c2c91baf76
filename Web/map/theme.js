// Which map style goes with the page's colours.
const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const themeName = () => (dark.matches ? "dark" : "light");
export const styleUrl = () => `/map/style-${themeName()}.json`;
export const onThemeChange = (listener) => dark.addEventListener("change", listener);
export const onMotionChange = (listener) => still.addEventListener("change", listener);
export const wantsLessMotion = () => still.matches;

/** The style names its tiles without the host; the engine's worker has no address of its own to add it from. */
export const transformRequest = (url) => ({ url: new URL(url, location.href).href });

/** What went wrong in a map is no fault that a person could mend: told to who looks, and the map goes on. */
export const mapFailed = ({ error }) => console.warn(`map: ${error?.message ?? "unknown fault"}`);
