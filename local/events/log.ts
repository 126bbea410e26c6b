export type StoredEvent = { bus: string; source: string; detailType: string; detail: object; at: string };

export type EventLog = ReturnType<typeof createEventLog>;

const MOST_EVENTS = 50_000;

/** The events that were put on the buses, newest last. */
export function createEventLog() {
  const events: StoredEvent[] = [];
  return {
    keep({ bus, source, detailType, detail, at }: StoredEvent) {
      events.push({ bus, source, detailType, detail, at });
      if (events.length > MOST_EVENTS) events.splice(0, MOST_EVENTS / 10);
    },
    events: () => [...events],
  };
}
