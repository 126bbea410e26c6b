import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { jsonService, parseInput, Refused } from '../aws-json.ts';
import { isObject, parseJson } from '../parse.ts';
import type { Bus, BusEvent } from './bus.ts';

export type EventBridgeOptions = { bus: () => Bus | undefined; now: () => number };

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
const MOST_ENTRIES = 10;
const MOST_BYTES = 256 * 1024;

const text = z._default(z.string(), '');
const Entry = z.strictObject({ EventBusName: text, Source: text, DetailType: text, Detail: text });
type Entry = z.infer<typeof Entry>;
const PutEvents = z.strictObject({
  Entries: z.array(Entry).check(z.minLength(1), z.maxLength(MOST_ENTRIES)),
});

/** The PutEvents operation of the EventBridge API. */
export const createEventBridge = ({ bus, now }: EventBridgeOptions) =>
  jsonService('EventBridge', {
    async PutEvents(input) {
      const { Entries } = parseInput(PutEvents, input);
      if (Entries.map(sizeOf).reduce((sum, size) => sum + size) > MOST_BYTES) {
        throw new Refused(
          'ValidationException',
          'Total size of the entries in the request is over the limit.',
        );
      }
      const answer = async (entry: Entry) => {
        const event = eventOf(entry, now());
        if ('ErrorCode' in event) return event;
        // Like a policy for a single bus: events for another bus are refused, whether or not it exists.
        return (await bus()?.put(event))
          ? { EventId: event.id }
          : refusal('AccessDeniedException', `No event bus ${event.bus}.`);
      };
      const answers = await Promise.all(Entries.map(answer));
      return { FailedEntryCount: answers.filter(answer => 'ErrorCode' in answer).length, Entries: answers };
    },
  });

const refusal = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });

const sizeOf = ({ Source, DetailType, Detail }: Entry) => Buffer.byteLength(Source + DetailType + Detail);

function eventOf(entry: Entry, now: number): BusEvent | ReturnType<typeof refusal> {
  const { EventBusName, Source, DetailType, Detail } = entry;
  for (const name of ['Source', 'DetailType', 'Detail'] as const) {
    if (!entry[name]) {
      return refusal(
        'InvalidArgument',
        `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
      );
    }
  }
  const detail = parseJson(Detail);
  if (!isObject(detail)) return refusal('MalformedDetail', 'Detail is malformed.');
  return {
    id: randomUUID(),
    bus: EventBusName,
    source: Source,
    detailType: DetailType,
    detail,
    at: new Date(now).toISOString(),
  };
}
