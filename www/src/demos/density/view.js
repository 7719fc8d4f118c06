/** The bins of the map: one for each pixel of its canvas. */
export const GRID = { columns: 960, rows: 600 };
/** From the map's units to the grid before a visitor zooms, as k · place + (x, y): the lower 48 states fill the grid. */
export const HOME = { k: 1.02, x: 478, y: 318 };
/** Of a point, in parts of its route a millisecond. */
export const SPEED = 1 / 40_000;
