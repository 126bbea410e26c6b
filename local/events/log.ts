export type StoredEvent = { bus: string; source: string; detailType: string; detail: object; at: string };

/** The events that were put on the buses, newest last. */
export type EventLog = { keep: (event: StoredEvent) => void; events: () => StoredEvent[] };

const MOST_EVENTS = 50_000;

export function createEventLog(): EventLog {
  const events: StoredEvent[] = [];
  return {
    keep({ bus, source, detailType, detail, at }) {
      events.push({ bus, source, detailType, detail, at });
      if (events.length > MOST_EVENTS) events.splice(0, MOST_EVENTS / 10);
    },
    events: () => [...events],
  };
}
