import { hashOf } from '#core/recipient/recipient.key.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Metadata } from '#shared/metadata.ts';

type Query = {
  /** Missing in reads by keys. */
  ExpressionAttributeValues?: Record<string, string>;
  RequestItems?: { index: { Keys: { PK: string; SK: string }[] } };
  ExclusiveStartKey?: { GSI1SK: string };
  Limit: number;
  ScanIndexForward: boolean;
  Select?: 'COUNT';
};

// As many as fit into the megabyte of one response.
const MOST_ANSWERED = 3_000;

type Index = Table & { reads: number[] };

/** An index with more members than a test could store. Memberships have metadata alone, if they are given. */
export function indexOf(
  addresses: string[],
  statusOf = (_: string): 'subscribed' | 'unsubscribed' => 'subscribed',
  metadataOf?: (email: string) => Metadata,
): Index {
  const reads: number[] = [];
  const byHash = new Map(metadataOf && addresses.map(email => [hashOf(email), email]));
  const send = async ({ input }: { input: Query }) => {
    const values = input.ExpressionAttributeValues;
    if (!values) {
      const index = (input.RequestItems?.index.Keys ?? []).flatMap(key => {
        const email = byHash.get(key.PK.split('#')[2] ?? '');
        return email === undefined ? [] : [{ ...key, email, metadata: metadataOf?.(email) }];
      });
      return { Responses: { index } };
    }
    const { ':prefix': prefix = '', ':after': after = '', ':from': from = after } = values;
    const { ':before': before = '~', ':to': to = before } = values;
    const within = addresses.filter(email => email.startsWith(prefix) && email > from && email < to);
    if (!input.ScanIndexForward) within.reverse();
    const wanted = within.slice(within.indexOf(input.ExclusiveStartKey?.GSI1SK ?? '') + 1);
    const page = wanted.slice(0, Math.min(input.Limit, MOST_ANSWERED));
    reads.push(page.length);
    const more = wanted.length > page.length && { LastEvaluatedKey: { GSI1SK: page.at(-1) } };
    if (input.Select) return { Count: page.length, ...more };
    return {
      Items: page.map(email => ({ email, status: statusOf(email), created_at: '2030-01-01T12:00:00.000Z' })),
      ...more,
    };
  };
  return { name: 'index', client: { send } as never, reads };
}
