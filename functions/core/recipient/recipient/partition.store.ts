import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { fromItem, get, type Item, type Table } from '../../storage/table.store.ts';
import { CLICKS, type Clicked, clickIn } from './click.store.ts';
import { type Claim, type Entry, JOURNAL } from './journal.store.ts';
import { type Left, type Membership, membershipOrLeft } from './membership.store.ts';
import { HEAD, MEMBERSHIP, partitionOf, type RecipientKey } from './recipient.key.ts';
import { type Head, headKey } from './recipient.store.ts';

/** Some of what is stored of a person, in the order of the sort keys, and that of the last one where there may be more. */
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

/** Whether a text can be the last sort key of a part. */
export const isLastOfPart = (text: string) =>
  [MEMBERSHIP, JOURNAL, CLICKS].some(prefix => text.startsWith(prefix));

/** What is stored of a person after a sort key, back to when they were erased. */
export async function readPart(table: Table, key: RecipientKey, after: string = HEAD): Promise<Part> {
  const [head, { Items = [], LastEvaluatedKey }] = await Promise.all([
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
  const beginning = (prefix: string) => items.filter(({ SK }) => String(SK).startsWith(prefix));
  const memberships = beginning(MEMBERSHIP).map(membershipOrLeft);
  const journal = beginning(JOURNAL).map(fromItem<Entry | Claim>);
  const erased = journal.findIndex(({ type }) => type === 'erased');
  const last = LastEvaluatedKey && String(LastEvaluatedKey.SK);
  return {
    head: head && fromItem<Head>(head),
    memberships: memberships.flatMap(({ membership }) => membership ?? []),
    left: memberships.flatMap(({ left }) => left ?? []),
    entries: erased < 0 ? journal : journal.slice(0, erased + 1),
    clicks: beginning(CLICKS).map(clickIn),
    last: erased >= 0 && last?.startsWith(JOURNAL) ? AFTER_JOURNAL : last,
  };
}
