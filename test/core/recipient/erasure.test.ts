import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as record from '../../../functions/core/organization/record/record.ts';
import { erase } from '../../../functions/core/recipient/erasure/erasure.ts';
import { page as exportPage } from '../../../functions/core/recipient/person-export/person-export.ts';
import * as recipient from '../../../functions/core/recipient/recipient/recipient.ts';
import { recordClick } from '../../../functions/core/recipient/tracking/visit.ts';
import { note } from '../../../functions/core/sending/provider-event/provider-event.ts';
import { queryPartition, type Table } from '../../../functions/core/storage/table.store.ts';
import type { PersonExportPage } from '../../../shared/export.ts';
import { between, onFirst } from '../../support/between.ts';
import { dyingAtEachWrite } from '../../support/cut.ts';
import { freshTable } from '../../support/engine.ts';
import { newSent } from '../../support/sent.ts';

const table = freshTable();
const start = new Date('2030-01-01T10:00:00Z');
const later = new Date('2030-01-02T10:00:00Z');
const ANN = 'ann@example.com';
const NOTE = 'Marigold';
/** It is in nothing but the metadata, the trigger rows and the claims. */
const DAY = '2029-12-31';
const NAMED = [ANN, 'ann%40', NOTE, DAY];

/** The items of the whole table in which something of this stands, with their keys. */
async function itemsWith(...texts: string[]): Promise<string[]> {
  const items: string[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ExclusiveStartKey: from }),
    );
    for (const item of page.Items ?? []) {
      const written = JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value));
      if (texts.some(text => written.includes(text))) items.push(`${item.PK} ${item.SK}`);
    }
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}

const user = 'user-1';
const needs = (on: Table = table, now = later) => ({ table: on, now, user });
const content = { subject_line: 'Hello {{note}}', content_line: 'Since {{born}}' };

let sent: Awaited<ReturnType<typeof newSent>>;
/** Somebody on two lists, who left a third, with an email that they opened, clicked, and that bounced. */
async function newPerson({ bounced = true } = {}) {
  sent = await newSent(table, start, { metadata: { note: NOTE, born: DAY }, content });
  const { sender, key } = sent;
  const [other, former] = [await sender.newList(), await sender.newList()];
  await sender.add(other, ANN, { note: NOTE, born: DAY });
  await sender.add(former, ANN, { note: NOTE });
  await recipient.leave({ table, now: start }, key, former.id, 'app');
  const click = { url: `https://example.com/?for=ann%40example.com`, part: 'footer' } as const;
  await recordClick({ table, now: start }, { ...click, ...sent.sent, written: start }, 'person');
  if (bounced) await bounce('soft', `550 <${ANN}>: no such user`);
}
const bounce = (meaning: 'soft' | 'hard', reason: string, on: Table = table) =>
  note(
    { table: on, now: start },
    { organization: sent.sender.organization, id: sent.list.id },
    { meaning, reason, send: recipient.sendId(sent.key, 1) },
  );
/** Another claim of what they get. */
const newClaim = async (seq: number): Promise<recipient.Claim> => {
  const claim = await recipient.readClaim(table, sent.key, 1);
  if (!claim) throw new Error('There is no claim');
  return { ...claim, seq, batch: 'none', values: { note: NOTE }, trigger: DAY };
};
const recorded = async () => (await record.page({ table }, sent.sender.organization, undefined)).data;
const eraseAnn = (on: Table = table, now = later) => erase(needs(on, now), sent.sender.organization, ANN);

// The next test looks through the whole table.
afterEach(() => eraseAnn());

describe('Who is erased', () => {
  beforeEach(() => newPerson());

  it('is nowhere in the table any more, wherever a process dies, and is recorded once', async () => {
    const kinds = (keys: string[]) =>
      [...new Set(keys.map(key => key.replace(/.* (HEAD|[A-Z]#|IN#|\d).*/, '$1')))].sort();
    expect(kinds(await itemsWith(...NAMED))).toEqual(['0', 'HEAD', 'IN#', 'J#', 'T#']);
    await dyingAtEachWrite(
      table,
      async () => {},
      on => eraseAnn(on),
    );
    expect(await itemsWith(...NAMED)).toEqual([]);
    const entry = { what: 'erased', at: later.toISOString(), recipient: sent.key.hash };
    expect(await recorded()).toMatchObject([{ ...entry, by: { id: user, name: 'A former member' } }]);
    expect((await sent.journal()).filter(({ type }) => type === 'erased')).toHaveLength(1);
  });

  it('stays so where somebody erases them again, and is recorded anew only after they were added again', async () => {
    expect(await eraseAnn()).toEqual({ erased_at: later.toISOString(), complete: true });
    const again = new Date('2030-01-03T10:00:00Z');
    expect(await eraseAnn(table, again)).toEqual({ erased_at: later.toISOString(), complete: true });
    expect(await recorded()).toHaveLength(1);
    await sent.sender.add(sent.list, ANN, { note: NOTE });
    expect(await eraseAnn(table, again)).toEqual({ erased_at: again.toISOString(), complete: true });
    expect((await recorded()).map(({ at }) => at)).toEqual([again.toISOString(), later.toISOString()]);
    expect(await itemsWith(...NAMED)).toEqual([]);
  });

  it('is erased by several calls where one has too little time', async () => {
    let steps = 0;
    const call = () => erase({ ...needs(), hasTime: () => ++steps % 2 === 0 }, sent.sender.organization, ANN);
    const answers = [await call()];
    while (!answers.at(-1)?.complete) answers.push(await call());
    expect(answers.length).toBeGreaterThan(2);
    expect(answers[0]).toEqual({ erased_at: null, complete: false });
    expect(await itemsWith(...NAMED)).toEqual([]);
    expect(await recorded()).toHaveLength(1);
  });

  it('leaves nothing of an email that is claimed just before they are erased', async () => {
    const claimed = await newClaim(99);
    const meanwhile = onFirst(table, 'TransactWriteCommand', async send => {
      const { seq } = await recipient.read(table, sent.key, '');
      Object.assign(claimed, { seq: seq + 1 });
      expect(await recipient.writeClaim(table, sent.key, claimed, undefined)).toBe(true);
      return send();
    });
    await eraseAnn(meanwhile);
    expect(await itemsWith(...NAMED)).toEqual([]);
  });

  it('gets no email that is claimed at the same time: the journal has moved on', async () => {
    const { seq } = await recipient.read(table, sent.key, '');
    await eraseAnn();
    const claimed = await newClaim(seq + 1);
    expect(await recipient.writeClaim(table, sent.key, claimed, undefined)).toBe(false);
    expect(await itemsWith(...NAMED)).toEqual([]);
  });

  it('is refused where nothing is stored of them', async () => {
    const refusal = { reason: 'not-found' };
    const { organization } = sent.sender;
    await expect(erase(needs(), organization, 'nobody@example.com')).rejects.toMatchObject(refusal);
    await expect(erase(needs(), organization + 1, ANN)).rejects.toMatchObject(refusal);
    expect(await recorded()).toEqual([]);
    expect(await queryPartition(table, `R#${organization + 1}#${sent.key.hash}`)).toEqual([]);
  });
});

describe('Who is erased while the provider tells of an email', () => {
  beforeEach(() => newPerson({ bounced: false }));

  it.each(['soft', 'hard'] as const)('leaves nothing of a %s bounce that comes meanwhile', async meaning => {
    const command = meaning === 'soft' ? 'UpdateCommand' : 'TransactWriteCommand';
    await bounce(
      meaning,
      `550 <${ANN}>`,
      between(table, command, () => eraseAnn()),
    );
    expect(await sent.claim()).toMatchObject({ bounce: meaning, erased: true });
    expect(await itemsWith(...NAMED)).toEqual([]);
  });
});

/** All parts of an export. */
async function exported(email = ANN): Promise<PersonExportPage & { parts: number }> {
  const on = { table, now: later, publicUrl: 'https://letterflow.example' };
  const pages: PersonExportPage[] = [];
  let cursor: string | null | undefined;
  do {
    const input = { email, ...(cursor && { cursor }) };
    const page = await exportPage(on, sent.sender.organization, input);
    pages.push(page);
    cursor = page.next_cursor;
  } while (cursor);
  const [first] = pages;
  if (!first) throw new Error('There is no page');
  const all = <K extends 'memberships' | 'former_memberships' | 'journal' | 'emails' | 'clicks'>(name: K) =>
    pages.flatMap(page => page[name] as unknown[]) as PersonExportPage[K];
  return {
    ...first,
    parts: pages.length,
    ...{ memberships: all('memberships'), former_memberships: all('former_memberships') },
    ...{ journal: all('journal'), emails: all('emails'), clicks: all('clicks') },
  };
}

describe('What is stored about a person', () => {
  beforeEach(() => newPerson());

  it('is exported: memberships, what happened, and each email with its subject and its clicks', async () => {
    const all = await exported();
    expect(all).toMatchObject({ email: ANN, suppression: null, erased_at: null, parts: 1 });
    expect(all.memberships.map(({ list_name, metadata }) => [list_name, metadata])).toEqual(
      Array(2).fill(['Readers', { note: NOTE, born: DAY }]),
    );
    expect(all.former_memberships).toMatchObject([{ list_name: 'Readers', was_unsubscribed: false }]);
    expect(all.journal.map(({ number, type, by }) => [number, type, by])).toEqual([[2, 'removed', 'app']]);
    expect(all.emails).toMatchObject([
      {
        ...{ number: 1, status: 'sent', subject: `Hello ${NOTE}`, list_name: 'Readers' },
        values: { note: NOTE },
        happened: { first_clicked_at: start.toISOString(), bounce: 'soft' },
      },
    ]);
    expect(all.emails[0]?.happened.bounce_reason).toContain(ANN);
    expect(all.clicks).toMatchObject([{ email: 1, by: 'person', asset_type: 'footer' }]);
  });

  it('is exported of somebody who is in no list any more, and of nobody else', async () => {
    for (const { list_id } of (await exported()).memberships)
      await recipient.leave({ table, now: later }, sent.key, list_id, 'app');
    const all = await exported();
    expect([all.memberships, all.former_memberships.length, all.emails.length]).toEqual([[], 3, 1]);
    await expect(exported('nobody@example.com')).rejects.toMatchObject({ reason: 'not-found' });
  });

  it('is exported in parts where it is much, each item once', async () => {
    for (let seq = 3; seq <= 450; seq++)
      await recipient.writeClaim(table, sent.key, await newClaim(seq), undefined);
    const all = await exported();
    expect(all.parts).toBe(3);
    expect(all.emails.map(({ number }) => number)).toEqual([
      ...Array.from({ length: 448 }, (_, at) => 450 - at),
      1,
    ]);
    expect([all.journal.length, all.clicks.length]).toEqual([1, 1]);
  });

  it('is nothing from before they were erased', async () => {
    await eraseAnn();
    const all = await exported();
    expect(all).toMatchObject({ erased_at: later.toISOString(), memberships: [], emails: [], clicks: [] });
    expect(all.journal.map(({ type }) => type)).toEqual(['erased']);
  });

  it('is not read after a cursor that is none of ours', async () => {
    const on = { table, now: later, publicUrl: 'https://letterflow.example' };
    for (const cursor of ['', 'x', Buffer.from('HEAD').toString('base64url')])
      await expect(exportPage(on, sent.sender.organization, { email: ANN, cursor })).rejects.toMatchObject({
        reason: 'invalid',
      });
  });
});
