// Which map style goes with the page's colours.
const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const themeName = () => (dark.matches ? "dark" : "light");
export const styleUrl = () => `/map/style-${themeName()}.json`;
export const onThemeChange = (listener) => dark.addEventListener("change", listener);
export const wantsLessMotion = () => still.matches;
