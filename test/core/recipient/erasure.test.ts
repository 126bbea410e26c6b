import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as record from '#core/organization/record.ts';
import { erase } from '#core/person/erasure.ts';
import { page as exportPage } from '#core/person/person-export.ts';
import * as claimStore from '#core/recipient/claim.ts';
import * as journalStore from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { recordClick } from '#core/recipient/tracking.ts';
import { applyEvent } from '#core/sending/provider-event.ts';
import { batchWrite, type Item, queryPartition, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import type { PersonExportPage } from '#shared/export.ts';
import { Crashed, crashingAtEachWrite, survives } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted, interceptedOnce } from '#test/support/intercepted.ts';
import { allItems } from '#test/support/scan.ts';
import { newSent } from '#test/support/sent.ts';

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
  const written = (item: Item) =>
    JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value));
  const found = (await allItems(table)).filter(item => texts.some(text => written(item).includes(text)));
  return found.map(({ PK, SK }) => `${PK} ${SK}`);
}

const user = 'user-1';
const needs = (on: Table = table, now = later) => ({ table: on, now, user });
const content = { subject_line: 'Hello {{note}}', content_line: 'Since {{born}}' };

let sent: Awaited<ReturnType<typeof newSent>>;
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
const bounce = (meaning: 'soft' | 'hard' | 'complaint', reason: string, on: Table = table) =>
  applyEvent(
    { table: on, now: start },
    { organization: sent.sender.organization, id: sent.list.id },
    { meaning, reason, send: recipientKey.sendId(sent.key, 1) },
  );
/** Another claim of what they get. */
const newClaim = async (seq: number): Promise<journalStore.Claim> => {
  const claim = await claimStore.readClaim(table, sent.key, 1);
  if (!claim) throw new Error('There is no claim');
  return { ...claim, seq, batch: 'none', values: { note: NOTE }, trigger: DAY };
};
const recorded = async () =>
  (await record.page({ table }, sent.sender.organization, { kind: 'person', per_page: 50 })).data.filter(
    ({ what }) => what === 'erased',
  );
const eraseAnn = (on: Table = table, now = later) => erase(needs(on, now), sent.sender.organization, ANN);

// The next test looks through the whole table.
afterEach(() => eraseAnn());

describe('Who is erased', () => {
  beforeEach(() => newPerson());

  it('is nowhere in the table any more, where a complaint has not come to all of their lists yet', async () => {
    const complained = { set: { suppression: 'complained' } };
    await updateItem(table, { PK: recipientKey.partitionOf(sent.key), SK: 'HEAD' }, complained);
    await eraseAnn();
    expect(await itemsWith(...NAMED)).toEqual([]);
  });

  it('is nowhere in the table any more, wherever a process dies, and is recorded once', async () => {
    const kinds = (keys: string[]) =>
      [...new Set(keys.map(key => key.replace(/.* (HEAD|[A-Z]#|IN#|\d).*/, '$1')))].sort();
    expect(kinds(await itemsWith(...NAMED))).toEqual(['0', 'HEAD', 'IN#', 'J#', 'T#']);
    await crashingAtEachWrite(
      table,
      async () => {},
      on => eraseAnn(on),
    );
    expect(await itemsWith(...NAMED)).toEqual([]);
    const entry = { what: 'erased', at: later.toISOString(), object: { id: sent.key.hash } };
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
    const call = () =>
      erase({ ...needs(), hasTimeLeft: () => ++steps % 2 === 0 }, sent.sender.organization, ANN);
    const answers = [await call()];
    while (!answers.at(-1)?.complete) {
      expect(await recorded()).toEqual([]);
      answers.push(await call());
    }
    expect(answers.length).toBeGreaterThan(2);
    expect(answers[0]).toEqual({ erased_at: null, complete: false });
    expect(await itemsWith(...NAMED)).toEqual([]);
    expect(await recorded()).toHaveLength(1);
  });

  it('leaves nothing of more than a page of emails and of clicks', async () => {
    const PK = `R#${sent.key.organization}#${sent.key.hash}`;
    const values = { note: NOTE.repeat(1_800) };
    const range = (length: number) => Array.from({ length }, (_, at) => at + 3);
    const claims = await Promise.all(range(80).map(newClaim));
    await batchWrite(table, {
      puts: [
        ...claims.map(claim => ({ ...journalStore.entryKey(sent.key, claim.seq), ...claim, values })),
        ...range(1_010).map(at => ({ PK, SK: `T#0000000001#${at}`, url: `https://example.com/?for=${ANN}` })),
      ],
    });
    expect(await eraseAnn()).toMatchObject({ complete: true });
    expect(await itemsWith(...NAMED)).toEqual([]);
  });

  it('has nothing exported of an email since, where they are erased again', async () => {
    const claimed = { ...(await newClaim(1)), at: later.toISOString() };
    await eraseAnn();
    const { seq } = await recipientStore.read(table, sent.key, '');
    await claimStore.writeClaim(table, sent.key, { ...claimed, seq: seq + 1 }, undefined);
    expect((await exported()).emails).toHaveLength(1);
    await eraseAnn(table, new Date(later.getTime() + 1));
    expect((await exported()).emails).toEqual([]);
  });

  it('leaves nothing of a click that comes later', async () => {
    await eraseAnn();
    const click = { url: `https://example.com/?of=ann%40example.com`, part: 'footer' } as const;
    await recordClick({ table, now: later }, { ...click, ...sent.sent, written: start }, 'person');
    expect(await sent.rows('T#')).toEqual([]);
  });

  it('leaves nothing of an email that is claimed just before they are erased', async () => {
    const claimed = await newClaim(99);
    const meanwhile = interceptedOnce(table, 'TransactWriteCommand', async send => {
      const { seq } = await recipientStore.read(table, sent.key, '');
      Object.assign(claimed, { seq: seq + 1 });
      expect(await claimStore.writeClaim(table, sent.key, claimed, undefined)).toBe(true);
      return send();
    });
    await eraseAnn(meanwhile);
    expect(await itemsWith(...NAMED)).toEqual([]);
  });

  it('gets no email that is claimed at the same time: the journal has moved on', async () => {
    const { seq } = await recipientStore.read(table, sent.key, '');
    await eraseAnn();
    const claimed = await newClaim(seq + 1);
    expect(await claimStore.writeClaim(table, sent.key, claimed, undefined)).toBe(false);
    expect(await itemsWith(...NAMED)).toEqual([]);
  });

  it('is recorded once where somebody else erases them at the same time', async () => {
    const sooner = new Date(later.getTime() - 1);
    const slow = beforeFirst(table, 'TransactWriteCommand', () => eraseAnn());
    const erased = { erased_at: later.toISOString(), complete: true };
    expect(await eraseAnn(slow, sooner)).toEqual(erased);
    expect(await eraseAnn(table, new Date(later.getTime() + 1))).toEqual(erased);
    expect((await recorded()).map(({ at }) => at)).toEqual([erased.erased_at]);
    expect(await itemsWith(...NAMED)).toEqual([]);
  });

  it('leaves nothing of a membership that is added meanwhile', async () => {
    const { sender } = sent;
    const added = await sender.newList();
    await eraseAnn(beforeFirst(table, 'TransactWriteCommand', () => sender.add(added, ANN, { note: NOTE })));
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

  it.each([
    ['soft', false],
    ['hard', false],
    ['hard', true],
  ] as const)(
    'leaves nothing of a %s bounce that comes meanwhile; after a soft one and a complaint: %s',
    async (meaning, isAfter) => {
      if (isAfter) {
        await bounce('soft', '');
        // So that nothing but the claim is written.
        await bounce('complaint', '');
      }
      const command = meaning === 'soft' ? 'UpdateCommand' : 'TransactWriteCommand';
      await bounce(
        meaning,
        `550 <${ANN}>`,
        beforeFirst(table, command, () => eraseAnn()),
      );
      expect(await sent.claim()).toMatchObject({ bounce: meaning, erased: true });
      expect(await itemsWith(...NAMED)).toEqual([]);
    },
  );
});

const exportPart = (cursor?: string | null, email = ANN) =>
  exportPage({ table, now: later }, sent.sender.organization, {
    email,
    ...(typeof cursor === 'string' && { cursor }),
  });

async function exported(email = ANN): Promise<PersonExportPage & { parts: number }> {
  const pages: PersonExportPage[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await exportPart(cursor, email);
    pages.push(page);
    cursor = page.next_cursor;
  } while (cursor);
  const [first] = pages;
  if (!first) throw new Error('There is no page');
  const names = ['memberships', 'former_memberships', 'journal', 'emails', 'clicks'] as const;
  const all = names.map(name => [name, pages.flatMap(page => page[name] as unknown[])]);
  return { ...first, ...Object.fromEntries(all), parts: pages.length };
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
        number: 1,
        status: 'sent',
        subject: `Hello ${NOTE}`,
        list_name: 'Readers',
        values: { note: NOTE },
        happened: { first_clicked_at: start.toISOString(), bounce: 'soft' },
      },
    ]);
    expect(all.emails[0]?.happened.bounce_reason).toContain(ANN);
    expect(all.clicks).toMatchObject([{ email: 1, by: 'person', asset_type: 'footer' }]);
    // As of a claim that values would have made too large.
    await updateItem(table, journalStore.entryKey(sent.key, 1), { drop: ['values'] });
    expect((await exported()).emails).toMatchObject([{ subject: `Hello ${NOTE}` }]);
  });

  it('is exported of somebody who is in no list any more, and of nobody else', async () => {
    for (const { list_id } of (await exported()).memberships)
      await recipient.leave({ table, now: later }, sent.key, list_id, 'app');
    const all = await exported();
    expect([all.memberships, all.former_memberships.length, all.emails.length]).toEqual([[], 3, 1]);
    await expect(exported('nobody@example.com')).rejects.toMatchObject({ reason: 'not-found' });
  });

  it('is exported of who has nothing but a head, and was in a list that is deleted', async () => {
    const ben = 'ben@example.com';
    const PK = `R#${sent.key.organization}#${recipientKey.hashOf(ben)}`;
    const left = { list_id: 'gone', status: 'left', unsubscribed: true, updated_at: start.toISOString() };
    await batchWrite(table, { puts: [{ PK, SK: 'HEAD', suppression: 'bounce' }] });
    expect(await exported(ben)).toMatchObject({ suppression: 'bounce', former_memberships: [] });
    await batchWrite(table, { puts: [{ PK, SK: 'IN#gone', ...left }] });
    expect((await exported(ben)).former_memberships).toMatchObject([
      { list_id: 'gone', list_name: null, was_unsubscribed: true },
    ]);
  });

  it('is exported in parts where it is much, each item once', async () => {
    for (let seq = 3; seq <= 450; seq++)
      await claimStore.writeClaim(table, sent.key, await newClaim(seq), undefined);
    const all = await exported();
    expect(all.parts).toBe(3);
    const numbers = Array.from({ length: 448 }, (_, at) => 450 - at);
    expect(all.emails.map(({ number }) => number)).toEqual([...numbers, 1]);
    expect([all.journal.length, all.clicks.length]).toEqual([1, 1]);
  });

  const NOTHING = { memberships: [], former_memberships: [], emails: [], clicks: [] };

  it('is nothing from before they were erased', async () => {
    await eraseAnn();
    const all = await exported();
    expect(all).toMatchObject({ erased_at: later.toISOString(), ...NOTHING });
    expect(all.journal.map(({ type }) => type)).toEqual(['erased']);
  });

  it('is nothing from before while they are being erased, nor after a cursor that leads there', async () => {
    let writes = 0;
    const dies = intercepted(table, (send, { constructor: { name } }) => {
      if (name === 'UpdateCommand' && ++writes > 0) throw new Crashed();
      return send();
    });
    await exportPart();
    const entries = await record.page({ table }, sent.sender.organization, { kind: 'person', per_page: 50 });
    const entry = entries.data.find(({ what }) => what === 'exported')?.id ?? '';
    await survives(eraseAnn(dies));
    expect(await sent.claim()).toMatchObject({ values: { note: NOTE } });
    for (const after of ['IN#', 'J#0000000000', 'J#9999999997', 'T#']) {
      const part = await exportPart(record.exportCursor(entry, after));
      expect(part).toMatchObject(NOTHING);
      expect(part.journal.map(({ type }) => type)).toEqual(after < 'J#9' ? ['erased'] : []);
    }
  });

  it('is not read after a cursor that is none of ours', async () => {
    const encoded = ['HEAD', `IN#${'x'.repeat(1_100)}`].map(text => Buffer.from(text).toString('base64url'));
    for (const cursor of ['', 'x', ...encoded])
      await expect(exportPart(cursor)).rejects.toMatchObject({ reason: 'invalid' });
  });
});
