import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { env, withTimeout } from './runtime.ts';

const client = new EventBridgeClient(withTimeout(3_000));
const SOURCE = 'letterflow';
const MOST_ENTRIES = 10;

/** A rule that sends to a queue takes the message's group from `$.detail.group`, which AWS wants to be a text. */
const grouped = (detail: object) =>
  'organization_id' in detail ? { ...detail, group: String(detail.organization_id) } : detail;

export const bus = {
  async put(type: string, details: object[]): Promise<void> {
    for (let at = 0; at < details.length; at += MOST_ENTRIES) {
      const { FailedEntryCount, Entries } = await client.send(
        new PutEventsCommand({
          Entries: details
            .slice(at, at + MOST_ENTRIES)
            .map(detail => ({
              EventBusName: env('EVENT_BUS'),
              Source: SOURCE,
              DetailType: type,
              Detail: JSON.stringify(grouped(detail)),
            })),
        }),
      );
      if (FailedEntryCount) {
        const code = Entries?.find(({ ErrorCode }) => ErrorCode)?.ErrorCode;
        throw new Error(`${FailedEntryCount} events were not taken: ${code}`);
      }
    }
  },
};
