import { beforeEach, describe, expect, it } from 'vitest';
import * as automations from '#core/automation/automation.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import { newBroadcastId } from '#core/id.ts';
import * as lists from '#core/list/list.ts';
import * as dryRuns from '#core/sending/forecast/dry-run.ts';
import type { Change } from '#core/sending/forecast/predict.ts';
import { UNKNOWN_AUTOMATION } from '#shared/automation-link.ts';
import type { ContentLinks } from '#shared/dry-run.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { asset } from '#test/support/content.ts';
import { deliveries, type Sender, start } from '#test/support/deliveries.ts';
import { newSender } from '#test/support/sending.ts';

const { table, storedAutomation } = deliveries();

type List = Awaited<ReturnType<Sender['newList']>>;

let sender: Sender;
let readers: List;
let customers: List;
/** One mails the two readers, and the other one the three customers: each person once, tomorrow; Eve, when a day is over. */
let [one, other] = ['', ''];

beforeEach(async () => {
  sender = await newSender(table, start);
  const made = async (people: string[]) => {
    const list = await sender.newList();
    for (const name of people) {
      const time = name === 'eve' ? '09:58:20' : '08:00:00';
      await sender.add(list, `${name}@example.com`, { ends: `2030-01-02T${time}Z` });
    }
    const fields = { email_list_ids: [list.id], metadata_trigger: 'ends', stop_after_days: 0 };
    return { list, id: (await sender.newAutomation({ name: people.join('_'), ...fields })).id };
  };
  ({ list: readers, id: one } = await made(['ann', 'ben']));
  ({ list: customers, id: other } = await made(['cleo', 'dan', 'eve']));
});

const tried = async (change: Change, mostPeople = 10) =>
  dryRuns.dryRun({ table, now: start, hasTimeLeft: () => true, mostPeople }, sender.organization, change);
const more = async (change: Change | Promise<Change>) => (await tried(await change)).next_7_days.emails;

describe('of content', () => {
  const content = (to: ContentLinks) => more(dryRuns.withContent(table, sender.organization, to));
  const links = async (automation: string, { link = [] as string[], unlink = [] as string[] }) =>
    more(dryRuns.withLinks(table, await storedAutomation(sender, automation), { link, unlink }));
  const newAsset = async (type: string, automation_ids: string[]) => {
    const fields = NewEmailAsset.parse(asset({ type, value: textOf(type), automation_ids }));
    return (await emailAssets.create({ table, now: start }, sender.organization, fields)).id;
  };
  const textOf = (type: string) =>
    ({ cta_url: 'https://shop.example.com', footer: 'Leave: {{UNSUB_LINK}}' })[type] ?? type;

  it('a dry run counts the emails of automations that get or lose their only content', async () => {
    const { id } = await sender.newTemplate([one]);
    expect(await content({ id })).toBe(0);
    expect(await content({ id, is_active: false })).toBe(-2);
    expect(await content({ id, automation_ids: [] })).toBe(-2);
    expect(await content({ id, automation_ids: [one, other] })).toBe(3);
    expect(await content({ id, automation_ids: [other] })).toBe(1);
    expect(await content({ kind: 'template', automation_ids: [one, other] })).toBe(3);
    expect(await links(one, { unlink: [id] })).toBe(-2);
    expect(await links(other, { link: [id] })).toBe(3);
    await sender.newTemplate([one], { subject_line: 'Another' });
    expect([await content({ id, is_active: false }), await links(one, { unlink: [id] })]).toEqual([0, 0]);
  });

  it('what is due when the next 24 hours end counts for the week alone', async () => {
    const to = { kind: 'template' as const, automation_ids: [other] };
    const { next_24_hours, next_7_days } = await tried(
      await dryRuns.withContent(table, sender.organization, to),
    );
    expect([next_24_hours.emails, next_7_days.emails]).toEqual([2, 3]);
  });

  it('inactive content counts once it is active', async () => {
    const { id } = await sender.newTemplate([one], { is_active: false });
    expect(await content({ id, automation_ids: [one, other] })).toBe(0);
    expect(await links(other, { link: [id] })).toBe(0);
    expect(await content({ id, is_active: true })).toBe(2);
    expect(await content({ id, is_active: true, automation_ids: [other] })).toBe(3);
  });

  it('assets count where there is one of each type that an email needs', async () => {
    const kinds = ['subject_line', 'pre_cta_content', 'cta_text', 'cta_url', 'footer'] as const;
    const automation_ids = [one];
    expect(await content({ kinds: [...kinds], automation_ids })).toBe(2);
    expect(await content({ kinds: [...kinds], automation_ids, is_active: false })).toBe(0);
    expect(await content({ kinds: kinds.slice(1), automation_ids })).toBe(0);
    const ids: string[] = [];
    for (const type of kinds.slice(1)) ids.push(await newAsset(type, [one]));
    expect(await content({ kind: 'subject_line', automation_ids })).toBe(2);
    const unlinked = await newAsset('subject_line', []);
    expect(await links(one, { link: [unlinked] })).toBe(2);
    expect(await links(one, { link: [unlinked], unlink: ids.slice(0, 1) })).toBe(0);
  });

  it('a new link to an automation that does not exist is refused, and one to a broadcast is not', async () => {
    const refused = content({ kind: 'template', automation_ids: [one, '0'.repeat(12)] });
    await expect(refused).rejects.toMatchObject({ errors: { automation_ids: [UNKNOWN_AUTOMATION] } });
    expect(await content({ kind: 'template', automation_ids: [one, newBroadcastId(start)] })).toBe(2);
  });
});

it('a dry run reads nobody else than those whom the automations and lists that change mail', async () => {
  await sender.newTemplate([one, other]);
  const looked = async (change: Change | Promise<Change>) => (await tried(await change, 1)).sampled?.of;
  const { organization } = sender;
  const now = start;
  expect(await looked(dryRuns.withList({ table, now }, readers, { active: false }))).toBe(2);
  expect(await looked(dryRuns.withList({ table, now }, customers, { active: false }))).toBe(3);
  expect(
    await looked(dryRuns.withContent(table, organization, { kind: 'template', automation_ids: [one] })),
  ).toBe(2);
  expect(await looked(dryRuns.withOrganization({ active: false }, now))).toBe(5);
  expect(await looked(dryRuns.withOrganization({ active: true }, now))).toBeUndefined();
  expect(await looked(dryRuns.withOrganization({}, now))).toBeUndefined();
  expect(await looked(dryRuns.withSafeguards({ max_emails_1_week: 1 }))).toBe(5);
});

it('a key that stays as it is changes nothing, and another one lets a list without one send', async () => {
  await sender.newTemplate([one, other]);
  const keyless = await sender.newList({ key: false });
  await sender.add(keyless, 'fay@example.com', { ends: '2030-01-02T08:00:00Z' });
  await automations.change({ table, now: start }, await storedAutomation(sender, one), {
    email_list_ids: [readers.id, keyless.id],
  });
  const of = async (list: List, mailgun_sending_key?: string | null) =>
    more(await dryRuns.withSendingKey(table, list, { mailgun_sending_key }));
  const keys = [undefined, lists.UNCHANGED_KEY, 'key-2', null];
  const each = async (list: List) => Promise.all(keys.map(key => of(list, key)));
  expect([await each(readers), await each(keyless)]).toEqual([
    [0, 0, 0, -2],
    [0, 0, 1, 0],
  ]);
});
