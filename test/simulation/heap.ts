export type Event = { at: number; order: number; call: () => void };

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** A binary heap of events, ordered by their instants. */
export class Heap {
  readonly #events: Event[] = [];

  push(event: Event): void {
    const events = this.#events;
    let at = events.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = events[parent] as Event;
      if (!isBefore(event, above)) break;
      events[at] = above;
      at = parent;
    }
    events[at] = event;
  }

  /** Removes and returns the first event, unless it is after an instant. */
  popUntil(until: number): Event | undefined {
    const events = this.#events;
    const first = events[0];
    if (!first || first.at > until) return undefined;
    const last = events.pop() as Event;
    if (events.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= events.length) break;
      if (below + 1 < events.length && isBefore(events[below + 1] as Event, events[below] as Event)) below++;
      if (!isBefore(events[below] as Event, last)) break;
      events[at] = events[below] as Event;
      at = below;
    }
    events[at] = last;
    return first;
  }
}
