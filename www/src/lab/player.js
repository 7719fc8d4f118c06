const STEP_MS = 1100; // from one step to the next at speed 1

/** The current step of a call, and the clock that advances it. It draws nothing. */
export class Player {
  #changed;
  #count = 0; // of steps
  #collisions = []; // the numbers, from 0, of the steps that write where an earlier one has written
  #at = 0; // how many steps have been made
  #speed = 1;
  #timer = 0; // 0: paused

  /** @param {() => void} changed called after each change */
  constructor(changed) {
    this.#changed = changed;
  }

  /** How many steps have been made: 0 is the start, and step `at` − 1 the newest. */
  get at() {
    return this.#at;
  }

  /** What views show of the player. */
  get state() {
    return { at: this.#at, playing: this.#timer !== 0, speed: this.#speed, collisions: this.#collisions };
  }

  /** Takes another call of `count` steps. All of them are made, so that its result is shown. Does not call `changed`. */
  load(count, collisions) {
    this.#stop();
    this.#count = count;
    this.#collisions = collisions;
    this.#at = count;
  }

  /** Stops, and shows the call after `at` steps. */
  go = (at) => {
    this.#stop();
    this.#at = Math.min(this.#count, Math.max(0, at));
    this.#changed();
  };

  /** Plays from the current step on, or from the start where all are made; pauses if it is playing. */
  play = () => {
    if (this.#timer) {
      this.#stop();
    } else {
      if (this.#at === this.#count) this.#at = 0;
      this.#timer = setInterval(() => this.#tick(), STEP_MS / this.#speed);
    }
    this.#changed();
  };

  /** Sets the speed: 2 is twice as fast. If it is playing, it goes on. */
  speed = (speed) => {
    const isPlaying = this.#timer !== 0;
    this.#stop();
    this.#speed = speed;
    if (isPlaying) this.#timer = setInterval(() => this.#tick(), STEP_MS / speed);
    this.#changed();
  };

  /** Goes to the next write to a place that was written before; after the last of them to the first. */
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
