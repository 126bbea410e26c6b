import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { jsonService, Refused, understood } from '../aws-json.ts';
import { type Bus, busOf, type Told } from './bus.ts';

export type EventBridgeOptions = { bus: () => Bus | undefined; now: () => number };

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
const MOST_ENTRIES = 10;
const MOST_BYTES = 256 * 1024;
const TIME_BYTES = 14;

const text = z.optional(z.string());
const Entry = z.strictObject({
  EventBusName: text,
  Source: text,
  DetailType: text,
  Detail: text,
  Resources: z.optional(z.array(z.string())),
  /** In seconds. */
  Time: z.optional(z.number()),
  TraceHeader: text,
});
type Entry = z.infer<typeof Entry>;
const Entries = z.array(Entry).check(z.minLength(1), z.maxLength(MOST_ENTRIES));
const PutEvents = z.strictObject({ Entries });

/** The part of the EventBridge API that tells events. */
export const createEventBridge = ({ bus, now }: EventBridgeOptions) =>
  jsonService('EventBridge', {
    PutEvents(input) {
      const { Entries } = understood(PutEvents, input);
      if (Entries.map(sizeOf).reduce((sum, size) => sum + size) > MOST_BYTES) {
        throw new Refused(
          'ValidationException',
          'Total size of the entries in the request is over the limit.',
        );
      }
      const answers = Entries.map(entry => {
        const told = eventOf(entry, now());
        if ('ErrorCode' in told) return told;
        const taken = bus()?.put(told);
        // As where the rights name one bus: any other is refused, whether it exists or not.
        return taken ? { EventId: told.id } : refusal('AccessDeniedException', `No event bus ${told.bus}.`);
      });
      return {
        FailedEntryCount: answers.filter(answer => 'ErrorCode' in answer).length,
        Entries: answers,
      };
    },
  });

const refusal = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });

const sizeOf = ({ Time, Source = '', DetailType = '', Detail = '', Resources = [] }: Entry) =>
  Buffer.byteLength([Source, DetailType, Detail, ...Resources].join('')) +
  (Time === undefined ? 0 : TIME_BYTES);

function eventOf(entry: Entry, now: number): Told | ReturnType<typeof refusal> {
  const { Source, DetailType, Detail, Resources = [], Time } = entry;
  for (const name of ['Source', 'DetailType', 'Detail'] as const) {
    if (!entry[name]) {
      return refusal(
        'InvalidArgument',
        `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
      );
    }
  }
  if (Source?.startsWith('aws.')) {
    return refusal('NotAuthorizedForSourceException', 'Not authorized for the source.');
  }
  const detail = parse(Detail);
  if (detail === undefined) return refusal('MalformedDetail', 'Detail is malformed.');
  return {
    id: randomUUID(),
    bus: busOf(entry.EventBusName),
    source: String(Source),
    detailType: String(DetailType),
    detail,
    resources: Resources,
    at: new Date(Time === undefined ? now : Time * 1000).toISOString(),
  };
}

/** The detail of an event is an object. */
function parse(detail = ''): object | undefined {
  try {
    const parsed: unknown = JSON.parse(detail);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
