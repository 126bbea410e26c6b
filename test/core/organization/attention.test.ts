import { beforeAll, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as attention from '#core/home/attention.ts';
import * as listStore from '#core/list/list.store.ts';
import * as batches from '#core/sending/batch/batch.store.ts';
import { bucketOf } from '#core/sending/rollup.ts';
import { partitionOf, shardOf } from '#core/sources/source.ts';
import { batchWrite, type Table } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import type { Check } from '#shared/domain-check.ts';
import { stored as storedAutomation } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { newOwner } from '#test/support/people.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
const now = new Date('2026-03-10T09:00:00Z');
const TODAY = '2026-03-10';
const LAST_WEEK = '2026-03-04';
const BEFORE = '2026-03-03';

type Sender = Awaited<ReturnType<typeof newSender>>;
let sender: Sender;

const shown = async ({ acting }: Sender = sender, on: Table = table) => {
  const { notices } = await attention.attention({ table: on, now }, acting);
  return notices.map(({ kind, name, count, sent, missing }) =>
    [kind, name, count, sent, missing.length > 0 ? missing.join(' ') : null]
      .filter(one => one !== null)
      .join(' '),
  );
};

async function newScene() {
  const made = await newSender(table, now);
  const list = await made.newList({ name: 'Readers' });
  const { id } = await made.newAutomation({ name: 'welcome', email_list_ids: [list.id] });
  await made.newTemplate([id]);
  return { made, list };
}

const put = (...items: ({ PK: string; SK: string } & Record<string, unknown>)[]) =>
  batchWrite(table, { puts: items });
const combination = '0123456789ab';
const counted = (organization: number, day: string, counts: Record<string, number>) => ({
  PK: `ORG#${organization}#REPORT`,
  SK: `${day}#${bucketOf(combination)}`,
  ...Object.fromEntries(Object.entries(counts).map(([letter, count]) => [`${letter}${combination}`, count])),
});
const unknown = (organization: number, minute: string, size: number, settled?: number) => ({
  PK: `ORG#${organization}#LOG#unknown`,
  SK: `${minute}#pack#list.automation`,
  size,
  ...(settled !== undefined && { settled }),
});

beforeAll(async () => {
  ({ made: sender } = await newScene());
});

it('nothing needs attention where all is well, in eight reads', async () => {
  const reads: string[] = [];
  const on = intercepted(table, (send, { constructor: { name } }) => {
    reads.push(name);
    return send();
  });
  expect(await shown(sender, on)).toEqual([]);
  // Lists, automations and their content, broadcasts, webhooks, unknown emails, the mark of the sweep, the rollups.
  expect(reads.toSorted()).toEqual([
    'BatchGetCommand',
    'GetCommand',
    ...Array.from({ length: 6 }, () => 'QueryCommand'),
  ]);
});

it('a new organization, and one that is not the caller’s, have nothing', async () => {
  const acting = await newOwner(table, now);
  const nothing = { notices: [], left_out: 0, unchecked: [], start_date: LAST_WEEK, end_date: TODAY };
  expect(await attention.attention({ table, now }, acting)).toEqual(nothing);
});

it('says which keys are refused, and which lists of active automations have none', async () => {
  const { made, list } = await newScene();
  const { organization } = made;
  const keyless = await made.newList({ key: false, name: 'Keyless' });
  const unused = await made.newList({ key: false, name: 'Unused' });
  const { id } = await made.newAutomation({ name: 'two_lists', email_list_ids: [keyless.id, list.id] });
  await made.newAutomation({ name: 'off', email_list_ids: [unused.id], active: false });
  await made.newTemplate([id]);
  expect(await shown(made)).toEqual(['no_key Keyless']);
  const { counts: _, ...stored } = list;
  const connection = { tested_at: '2026-03-10T08:00:00.000Z', valid: false };
  await put({ PK: `ORG#${organization}`, SK: `LIST#${list.id}`, ...stored, connection });
  const { notices } = await attention.attention({ table, now }, made.acting);
  const { id: refused, name } = list;
  const notice = { id: refused, name, since: connection.tested_at, count: null, sent: null, missing: [] };
  expect(notices[0]).toEqual({ kind: 'key_refused', ...notice });
  // Nothing is sent by it anyway.
  await put({ PK: `ORG#${organization}`, SK: `LIST#${list.id}`, ...stored, connection, active: false });
  expect(await shown(made)).toEqual(['list_off welcome', 'no_key Keyless']);
});

it('says which automations the guard has paused, though they are off, and of which it warned today', async () => {
  const { made, list } = await newScene();
  const found = { kind: 'complained', hours: 24, sent: 1_000, percent: 1, provider: 'ses' } as const;
  const pause = async (name: string, set: object) => {
    const { id } = await made.newAutomation({ name, email_list_ids: [list.id] });
    await made.newTemplate([id]);
    const stored = await storedAutomation(table, made.organization, id);
    await commit(table, [automationStore.changeWrite(table, stored, { ...stored, ...set })]);
  };
  const at = '2026-03-10T08:00:00.000Z';
  const paused = { ...found, by: 'guard', at, events: 10, combination_id: null };
  await pause('paused', { active: false, paused });
  await pause('warned', { warned: { ...paused, events: 3 } });
  expect(await shown(made)).toEqual(['guard_paused paused 10 1000', 'guard_warned warned 3 1000']);
});

it('says which domains in use are broken, and which were not checked for an hour', async () => {
  const { made, list } = await newScene();
  const unused = await made.newList({ name: 'Unused' });
  const notices = () => attention.attention({ table, now }, made.acting);
  expect((await notices()).unchecked).toEqual([list.id]);
  const finding = { message: 'It is so.', found: null, record: null };
  const states = { spf: 'broken', dkim: 'unknown', dmarc: 'broken', mx: 'warning' } as const;
  const findings = Object.entries(states).map(([check, state]) => ({
    check: check as Check,
    state,
    ...finding,
  }));
  const checked = (minutes: number) => ({
    checked_at: new Date(now.getTime() - minutes * 60_000).toISOString(),
    findings,
  });
  for (const one of [list, unused])
    await listStore.change(table, one, { set: { domain_check: checked(59) } });
  expect(await shown(made)).toEqual(['domain_broken Readers 2']);
  expect((await notices()).unchecked).toEqual([]);
  // What was found counts until it is looked up again.
  await listStore.change(table, list, { set: { domain_check: checked(60) } });
  expect(await shown(made)).toEqual(['domain_broken Readers 2']);
  expect((await notices()).unchecked).toEqual([list.id]);
});

it('says why an active automation sends nothing', async () => {
  const { made, list } = await newScene();
  const lists = [list.id];
  await made.newAutomation({ name: 'empty', email_list_ids: lists });
  const { id: homeless } = await made.newAutomation({ name: 'homeless' });
  const late = { delay_days: 3, stop_after_days: 2 };
  const { id: never } = await made.newAutomation({ name: 'never', email_list_ids: lists, ...late });
  const { id: once } = await made.newAutomation({
    name: 'once',
    email_list_ids: lists,
    ...late,
    repeat: 'once',
  });
  await made.newTemplate([homeless, never, once], { name: 'Other' });
  await made.newAutomation({ name: 'inactive', active: false });
  expect(await shown(made)).toEqual([
    'no_content empty subject_line pre_cta_content cta_text cta_url footer',
    'no_list homeless',
    'never_sends never',
  ]);
});

it('names broadcasts that were stopped, as long as they can be sent to the rest', async () => {
  const { made } = await newScene();
  const stopped = (id: string, at: string, status = 'stopped') => ({
    PK: `ORG#${made.organization}`,
    SK: `CAST#${id}`,
    id,
    name: id,
    status,
    stopped: { reason: 'no_content', at },
  });
  await put(
    stopped('Bnews', '2026-03-08T09:00:00.000Z'),
    stopped('Bold', '2026-03-08T08:59:59.000Z'),
    stopped('Bresumed', '2026-03-09T09:00:00.000Z', 'scheduled'),
  );
  const { notices } = await attention.attention({ table, now }, made.acting);
  expect(notices).toMatchObject([
    { kind: 'broadcast_stopped', id: 'Bnews', name: 'Bnews', since: '2026-03-08T09:00:00.000Z' },
  ]);
});

it('counts the emails of a week that are unknown, without those that are settled', async () => {
  const { made } = await newScene();
  const { organization } = made;
  await put(
    unknown(organization, `${BEFORE}T09:00`, 50),
    unknown(organization, `${LAST_WEEK}T00:00`, 3, 1),
    unknown(organization, `${TODAY}T09:00`, 4, 4),
    unknown(organization, `${TODAY}T08:59`, 5),
  );
  expect(await shown(made)).toEqual(['unknown 7']);
  // Of more than it looks at, those of the newest.
  const newest = await batches.countUnknown(table, organization, LAST_WEEK, 2);
  expect(newest).toBe(5);
});

it('says until when emails wait for a provider with a pace, where that is long, to those who send by it', async () => {
  const { made, list } = await newScene();
  await listStore.change(table, list, { set: { provider: 'ses' } });
  const freeIn = (seconds: number) => {
    const free_at = new Date(now.getTime() + seconds * 1000).toISOString();
    return put({ PK: 'PROVIDER#ses', SK: 'PACE', perSecond: 14, left: 1, read_at: free_at, free_at });
  };
  const noticesOf = async ({ acting } = made) =>
    (await attention.attention({ table, now }, acting)).notices.filter(({ kind }) => kind === 'paced');
  await freeIn(120);
  expect(await noticesOf()).toEqual([]);
  await freeIn(121);
  expect(await noticesOf()).toMatchObject([{ since: '2026-03-10T09:02:01.000Z', count: 14 }]);
  expect(await noticesOf(sender)).toEqual([]);
});

it('says since when sending is behind', async () => {
  const { made } = await newScene();
  const from = '2026-03-10T08:30:00.000Z';
  const { organization } = made;
  await put({ PK: partitionOf(shardOf(organization)), SK: `BEHIND#${organization}`, from, seen: from });
  const { notices } = await attention.attention({ table, now }, made.acting);
  expect(notices).toMatchObject([{ kind: 'behind', since: from }]);
});

it.each([
  [
    'more than 2% of a week bounced',
    [
      { s: 100, b: 2 },
      { s: 50, b: 2 },
    ],
    ['bounce_rate 4 150'],
  ],
  [
    '2% and 0.1% are not too much',
    [
      { s: 500, b: 10 },
      { s: 500, b: 10, x: 1 },
    ],
    [],
  ],
  ['more than 0.1% complained', [{ s: 900, x: 1 }, { s: 99 }], ['complaint_rate 1 999']],
] as const)('rates: %s', async (_, [first, last], expected) => {
  const { made } = await newScene();
  await put(
    counted(made.organization, BEFORE, { s: 10, b: 10, x: 10 }),
    counted(made.organization, LAST_WEEK, first),
    counted(made.organization, TODAY, last),
  );
  expect(await shown(made)).toEqual(expected);
});

it('names webhooks that fail, and those that were switched off for it', async () => {
  const { made, list } = await newScene();
  const hook = (id: string, fields: object) => ({
    PK: `ORG#${made.organization}`,
    SK: `HOOK#${list.id}#${id}`,
    id,
    organization_id: made.organization,
    list_id: list.id,
    name: id,
    active: true,
    ...fields,
  });
  const since = '2026-03-09T09:00:00.000Z';
  await put(
    hook('well', {}),
    hook('failing', { failing_since: since, failures: 3 }),
    hook('gone', { active: false, switched_off: { at: since, because: 'gone' } }),
    hook('paused', { active: false }),
  );
  const { notices } = await attention.attention({ table, now }, made.acting);
  expect(notices).toMatchObject([
    { kind: 'webhook_off', name: 'gone', id: list.id, since },
    { kind: 'webhook_failing', name: 'failing', id: list.id, since },
  ]);
});

it('says first that the organization is switched off', async () => {
  const { made } = await newScene();
  const { organization } = made.acting;
  const off = { ...made.acting, organization: { ...organization, active: false } };
  const { notices } = await attention.attention({ table, now }, off);
  expect(notices.map(({ kind }) => kind)).toEqual(['organization_off']);
});

it('has twenty notices at most, and says how many more there are', async () => {
  const { made, list } = await newScene();
  for (let nth = 10; nth < 32; nth++)
    await made.newAutomation({ name: `empty_${nth}`, email_list_ids: [list.id] });
  const { notices, left_out } = await attention.attention({ table, now }, made.acting);
  expect([notices.length, left_out]).toEqual([20, 2]);
});
