import { inTurn } from './device.js';

/**
 * Draws frames of a demo, one at a time, at the screen's refreshes. A request that comes while a frame is computed, or while the demo is out
 * of sight, is served later.
 */
export class Frames {
  #draw;
  #moves;
  #fail;
  #visible = true;
  #frame = 0; // the id of the animation frame that was asked for
  #busy = false; // a frame is computed
  #stale = false; // another frame is needed

  /**
   * @param {(now: number) => Promise<void>} draw draws a frame; `now` is the time of the screen's frame, in ms
   * @param {() => boolean} moves whether a frame follows without a request
   * @param {(error: Error) => void} fail is told what went wrong
   */
  constructor(draw, moves, fail) {
    [this.#draw, this.#moves, this.#fail] = [draw, moves, fail];
  }

  /** Asks for a frame. */
  request() {
    if (this.#busy || this.#frame || !this.#visible) {
      this.#stale = true;
      return;
    }
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = 0;
      this.#busy = true;
      inTurn(() => this.#draw(now))
        .catch(this.#fail)
        .finally(() => {
          this.#busy = false;
          this.#goOn();
        });
    });
  }

  /** The frame that is drawn now has everything that was asked for. */
  begin() {
    this.#stale = false;
  }

  /** Out of sight: no frame begins. */
  rest() {
    this.#visible = false;
  }

  /** In sight again. */
  wake() {
    this.#visible = true;
    this.#goOn();
  }

  #goOn() {
    if (this.#moves() || this.#stale) this.request();
  }

  /** Resolves when no frame is being computed. */
  async idle() {
    while (this.#busy) await new Promise((next) => requestAnimationFrame(next));
  }
}

/** The canvas of `place` for this kind of context; the other one is hidden. One canvas cannot have both kinds. */
export function canvasFor(place, kind) {
  for (const each of place.querySelectorAll('canvas[data-kind]')) each.hidden = each.dataset.kind !== kind;
  return place.querySelector(`canvas[data-kind="${kind}"]`);
}
