import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { fromItem, get, type Item, type Table } from '#core/storage/table.store.ts';
import { CLICKS, type Clicked, clickIn } from './click.store.ts';
import { type Claim, type Entry, JOURNAL } from './journal.store.ts';
import { type Left, type Membership, membershipOrLeft } from './membership.store.ts';
import { HEAD, MEMBERSHIP, partitionOf, type RecipientKey } from './recipient.key.ts';
import { type Head, headKey } from './recipient.store.ts';

/**
 * A page of what is stored about a person, in the order of the sort keys. `last` is the last sort key, if there may be more.
 */
export type Part = {
  head: Head | undefined;
  memberships: Membership[];
  left: Left[];
  entries: (Entry | Claim)[];
  clicks: Clicked[];
  last: string | undefined;
};

const PAGE = 200;
const AFTER_JOURNAL = `${JOURNAL}~`;

// Longer than any sort key of the product, and shorter than what the table refuses.
const LONGEST_KEY = 100;

/** Whether a text can be the last sort key of a part. */
export const isLastOfPart = (text: string) =>
  text.length <= LONGEST_KEY && [MEMBERSHIP, JOURNAL, CLICKS].some(prefix => text.startsWith(prefix));

/**
 * Reads what is stored about a person after a sort key. What is older than their erasure is left out, even if it is not
 * deleted yet.
 */
export async function readPart(table: Table, key: RecipientKey, after: string = HEAD): Promise<Part> {
  const [found, { Items = [], LastEvaluatedKey }] = await Promise.all([
    get(table, headKey(key)),
    table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :pk AND SK > :after',
        ExpressionAttributeValues: { ':pk': partitionOf(key), ':after': after },
        ConsistentRead: true,
        Limit: PAGE,
      }),
    ),
  ]);
  const items = Items as Item[];
  const head = found && fromItem<Head>(found);
  const { erased_at = '' } = head ?? {};
  const beginning = (prefix: string) => items.filter(({ SK }) => String(SK).startsWith(prefix));
  const memberships = beginning(MEMBERSHIP).map(membershipOrLeft);
  const journal = beginning(JOURNAL).map(fromItem<Entry | Claim>);
  const erased = journal.findIndex(({ type }) => type === 'erased');
  const last = LastEvaluatedKey && String(LastEvaluatedKey.SK);
  return {
    head,
    memberships: memberships.flatMap(({ membership }) => membership ?? []),
    left: memberships.flatMap(({ left }) => left ?? []).filter(({ updated_at }) => updated_at > erased_at),
    entries: (erased < 0 ? journal : journal.slice(0, erased + 1)).filter(({ at }) => at >= erased_at),
    clicks: beginning(CLICKS)
      .map(clickIn)
      .filter(({ at }) => at > erased_at),
    last: erased >= 0 && last?.startsWith(JOURNAL) ? AFTER_JOURNAL : last,
  };
}
