const firstDelayMillis = 1000;
const longestDelayMillis = 30_000;

/** How long to wait after the failure numbered `attempt` (0 first): doubled each time, jittered between half and whole. */
export function backoffMillis(attempt, random = Math.random) {
    const ceiling = Math.min(longestDelayMillis, firstDelayMillis * 2 ** Math.min(attempt, 10));
    return Math.round(ceiling * (0.5 + 0.5 * random()));
}

export const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
