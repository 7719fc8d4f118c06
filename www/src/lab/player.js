const STEP = 1100; // ms from one step to the next at speed 1

/** The current step of a call, and the clock that advances it. It draws nothing. */
export class Player {
  #changed;
  #count = 0;
  #collisions = [];
  #at = 0;
  #speed = 1;
  #timer = 0;

  /** @param {() => void} changed called after each change */
  constructor(changed) {
    this.#changed = changed;
  }

  get at() {
    return this.#at;
  }

  get state() {
    return { at: this.#at, playing: this.#timer !== 0, speed: this.#speed, collisions: this.#collisions };
  }

  /** A new call: its last step is shown, and so its result. */
  load(count, collisions) {
    this.#stop();
    this.#count = count;
    this.#collisions = collisions;
    this.#at = count;
  }

  go = (at) => {
    this.#stop();
    this.#at = Math.min(this.#count, Math.max(0, at));
    this.#changed();
  };

  /** Plays from the current step, or from the start after the last one; pauses if it is playing. */
  play = () => {
    if (this.#timer) {
      this.#stop();
    } else {
      if (this.#at === this.#count) this.#at = 0;
      this.#timer = setInterval(() => this.#tick(), STEP / this.#speed);
    }
    this.#changed();
  };

  speed = (speed) => {
    const isPlaying = this.#timer !== 0;
    this.#stop();
    this.#speed = speed;
    if (isPlaying) this.#timer = setInterval(() => this.#tick(), STEP / speed);
    this.#changed();
  };

  /** The next write to a place that was written before; after the last one, the first. */
  collision = () => {
    const next = this.#collisions.find((k) => k + 1 > this.#at) ?? this.#collisions[0];
    if (next !== undefined) this.go(next + 1);
  };

  #tick() {
    this.#at += 1;
    if (this.#at >= this.#count) this.#stop();
    this.#changed();
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
  }
}
