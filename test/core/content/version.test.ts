import { beforeEach, describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as content from '#core/content/content.store.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import type { Active } from '#core/organization/organization.ts';
import { described } from '#core/reporting/described-combinations.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import { MOST_WRITES } from '#core/storage/write.store.ts';
import { MOST_LINKED } from '#shared/automation-link.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewEmailTemplate, NewTemplateVersion } from '#shared/email-template.ts';
import { asset, template } from '#test/support/content.ts';
import { createAutomation } from '#test/support/core-automation.ts';
import { type CrashPoint, crashing } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';
import { actingIn, newMember, newOwner } from '#test/support/people.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const needs = { table, now };
const later = { table, now: new Date('2030-01-05T12:00:00Z') };

let active: Active;
let organization: number;
beforeEach(async () => {
  active = await newOwner(table, now);
  organization = active.organization.id;
});

const newAutomation = async (name = 'welcome') =>
  (await createAutomation(table, now, organization, { name, active: false })).id;
const newAutomations = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => newAutomation(`automation_${at}`)));

const ASSETS = {
  kind: 'asset',
  part: 'subject_line',
  field: 'value',
  async create(fields: object = {}, text?: string) {
    const wanted = NewEmailAsset.parse(asset({ ...fields, ...(text && { value: text }) }));
    return (await emailAssets.create(needs, organization, wanted)).id;
  },
  find: async (id: string) => emailAssets.found(await getAll(table, emailAssets.keysOf(organization, id))),
  async rewrite(id: string, value: string, on: Table = table) {
    return emailAssets.createVersion({ ...later, table: on }, await ASSETS.find(id), { value });
  },
  change: async (id: string, fields: object) => emailAssets.change(needs, await ASSETS.find(id), fields),
  remove: async (id: string) => emailAssets.remove(needs, await ASSETS.find(id)),
  versions: async (id: string) => (await emailAssets.detail(needs, await ASSETS.find(id))).versions,
  listed: async (query: object = {}) => (await emailAssets.page(needs, organization, query)).data,
};

const parts = (subject_line: string) =>
  NewTemplateVersion.parse(template({ pre_cta_content: 'Hello', subject_line }));
const TEMPLATES = {
  kind: 'template',
  part: 'template',
  field: 'template',
  async create(fields: object = {}, text = 'One') {
    const wanted = NewEmailTemplate.parse({ ...template(fields), ...parts(text) });
    return (await emailTemplates.create(needs, active, wanted)).id;
  },
  find: async (id: string, as = active) =>
    emailTemplates.found({ table }, as, await getAll(table, emailTemplates.keysOf(organization, id))),
  async rewrite(id: string, text: string, on: Table = table, as = active) {
    return emailTemplates.createVersion({ ...later, table: on }, await TEMPLATES.find(id, as), parts(text));
  },
  change: async (id: string, fields: object) =>
    emailTemplates.change(needs, await TEMPLATES.find(id), fields),
  remove: async (id: string) => emailTemplates.remove(needs, await TEMPLATES.find(id)),
  versions: async (id: string) => (await emailTemplates.detail(needs, await TEMPLATES.find(id))).versions,
  listed: (query: object = {}) => emailTemplates.page(needs, active, query),
};

const linkedTo = async (automation: string, part: string) => {
  const linked = (await automationStore.readLinked(table, organization, [automation])).get(automation);
  return [...(linked?.[part as automationStore.LinkKind] ?? [])].sort();
};
const headsOf = (kind: string) =>
  content.readHeads<content.Head>(table, organization, kind as content.KindName);

describe.each([ASSETS, TEMPLATES])('a new version of an email $kind', of => {
  const { kind, part, field, create, find, rewrite } = of;

  it('takes over as many automations as there can be, in one transaction', async () => {
    const automations = await newAutomations(MOST_LINKED);
    const first = await create({ name: 'Welcome', automation_ids: automations }, 'One');
    const transactions: number[] = [];
    const counting = intercepted(table, (send, { constructor: { name }, input }) => {
      const { TransactItems } = input as { TransactItems?: object[] };
      if (name === 'TransactWriteCommand') transactions.push(TransactItems?.length ?? 0);
      return send();
    });
    const second = await rewrite(first, 'Two', counting);
    // And copies of the record's entry, for as many automations as there is room for.
    expect(transactions).toEqual([MOST_WRITES]);
    expect(second).toMatchObject({ name: 'Welcome', version: 2, is_active: true });
    const linked = await Promise.all(automations.map(id => linkedTo(id, part)));
    expect(linked).toEqual(automations.map(() => [second.id]));
    const { head } = await find(first);
    expect([head.is_active, head.automation_ids]).toEqual([false, undefined]);
    expect((await find(second.id)).head.automation_ids?.size).toBe(MOST_LINKED);
    const days = await automationStore.readChangedDays(table, organization, automations.slice(0, 1));
    expect([...days.values()]).toEqual([new Set(['2030-01-01', '2030-01-05'])]);
    expect((await content.readCounts(table, organization))[kind as content.KindName]).toBe(2);
  });

  it.each(['before', 'after'] as const)(
    'is there as a whole or not at all where the process dies %s the write, and once where it is repeated',
    async how => {
      const automation = await newAutomation();
      const first = await create({ automation_ids: [automation] });
      const cut: CrashPoint = { at: 1, how };
      await expect(rewrite(first, 'Two', crashing(table, cut))).rejects.toThrow();
      expect(await headsOf(kind)).toHaveLength(how === 'before' ? 1 : 2);
      expect(await linkedTo(automation, part)).toHaveLength(1);
      expect((await find(first)).head.is_active).toBe(how === 'before');
      const second = await rewrite(first, 'Two');
      expect(second.version).toBe(2);
      expect(await rewrite(first, 'Two')).toMatchObject({ id: second.id, version: 2 });
      expect(await headsOf(kind)).toHaveLength(2);
      expect(await linkedTo(automation, part)).toEqual([second.id]);
    },
  );

  it('is made by one of two editors: the other is told to edit it in turn', async () => {
    const first = await create();
    const both = await Promise.allSettled([rewrite(first, 'Two'), rewrite(first, 'Other')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        reason: 'conflict',
        message: 'Version 2 has replaced this one meanwhile. Open version 2, and edit its wording.',
      },
    });
    expect((await of.versions(first)).map(({ version }) => version)).toEqual([1, 2]);
  });

  it('keeps what others change meanwhile: other content of the automation, and another link', async () => {
    const [welcome = '', other = ''] = await newAutomations(2);
    const first = await create({ automation_ids: [welcome] });
    const beside: string[] = [];
    const on = beforeFirst(table, 'TransactWriteCommand', async () => {
      beside.push(await create({ automation_ids: [welcome] }, 'Beside'));
      await of.change(first, { automation_ids: [welcome, other] });
    });
    const second = await rewrite(first, 'Two', on);
    expect(await linkedTo(welcome, part)).toEqual([second.id, ...beside].sort());
    expect(await linkedTo(other, part)).toEqual([second.id]);
  });

  it('is not made of content that is deleted meanwhile', async () => {
    const first = await create();
    const on = beforeFirst(table, 'TransactWriteCommand', () => of.remove(first));
    await expect(rewrite(first, 'Two', on)).rejects.toMatchObject({ reason: 'not-found' });
    expect(await headsOf(kind)).toEqual([]);
  });

  it('needs another wording, which no other content has; that of an earlier version may return', async () => {
    const first = await create({}, 'One');
    await create({}, 'Taken');
    const nothing = { errors: { [field]: ['Nothing is changed'] } };
    await expect(rewrite(first, 'One')).rejects.toMatchObject(nothing);
    await expect(rewrite(first, 'Taken')).rejects.toMatchObject({
      errors: { [field]: [expect.stringContaining('already exists')] },
    });
    const second = await rewrite(first, 'Two');
    const third = await rewrite(second.id, 'One');
    await expect(rewrite(third.id, 'One')).rejects.toMatchObject(nothing);
    expect(await rewrite(second.id, 'One')).toMatchObject({ id: third.id });
    expect((await of.versions(third.id)).map(({ id, version }) => [id, version])).toEqual([
      [first, 1],
      [second.id, 2],
      [third.id, 3],
    ]);
  });

  it('of inactive content is inactive, and linked to the same', async () => {
    const automation = await newAutomation();
    const first = await create({ is_active: false, automation_ids: [automation] });
    const second = await rewrite(first, 'Two');
    expect(second.is_active).toBe(false);
    expect(await linkedTo(automation, part)).toEqual([]);
    expect((await find(second.id)).head.automation_ids).toEqual(new Set([automation]));
  });

  it('stands for all in lists, also once the first one is deleted; others are listed while they are active', async () => {
    const first = await create({ name: 'Welcome' });
    const second = await rewrite(first, 'Two');
    const listed = async () =>
      (await of.listed()).map(({ id, version, versions }) => [id, version, versions]);
    expect(await listed()).toEqual([[second.id, 2, 2]]);
    await of.change(first, { is_active: true });
    expect((await listed()).sort((a, b) => Number(a[1]) - Number(b[1]))).toEqual([
      [first, 1, 2],
      [second.id, 2, 2],
    ]);
    await of.remove(first);
    expect(await listed()).toEqual([[second.id, 2, 1]]);
    expect(await of.versions(second.id)).toEqual([]);
  });

  it('has a number of its own where the one before it was deleted, of which the first can be edited again', async () => {
    const first = await create();
    const second = await rewrite(first, 'Two');
    await of.remove(second.id);
    expect((await of.listed()).map(({ id }) => id)).toEqual([first]);
    expect(await rewrite(first, 'Two')).toMatchObject({ version: 3 });
  });
});

it('a template has one name in all its versions, and stays with its owner', async () => {
  const { id } = await newMember(table, now, organization, 'ADMIN');
  const admin = await actingIn(table, id, organization);
  const first = await TEMPLATES.create({ name: 'Welcome' });
  const second = await TEMPLATES.rewrite(first, 'Two', table, admin);
  expect((await TEMPLATES.find(second.id)).is_owner).toBe(true);
  const user = await newMember(table, now, organization, 'USER');
  const acting = await actingIn(table, user.id, organization);
  await expect(TEMPLATES.rewrite(second.id, 'Three', table, acting)).rejects.toMatchObject({
    reason: 'forbidden',
  });
  await TEMPLATES.change(second.id, { name: 'Hello' });
  expect((await TEMPLATES.find(first)).head.name).toBe('Hello');
  // Reports name the version of deleted content too.
  await TEMPLATES.remove(second.id);
  const reported = await described(table, active, [first, second.id]);
  expect(reported.map(({ combination, version }) => [combination, version])).toEqual([
    ['Hello', 1],
    ['Hello', 2],
  ]);
});

it('a template keeps the parts that a younger rule refuses, until their own text is changed', async () => {
  const dead = 'Leave: {{UNSUB_LINK}}, or [read](shop.example.com)';
  const { id } = await emailTemplates.create(needs, active, {
    ...NewEmailTemplate.parse(template()),
    ...parts('One'),
    footer: dead,
  });
  const before = await TEMPLATES.find(id);
  const rewrite = (footer: string) =>
    emailTemplates.createVersion(later, before, { ...parts('Two'), footer });
  await expect(rewrite(`${dead} again`)).rejects.toMatchObject({
    errors: { footer: [expect.stringContaining('leads nowhere')] },
  });
  expect(await rewrite(dead)).toMatchObject({ version: 2, footer: dead });
});

it('an asset is rewritten by the rules of its type', async () => {
  const footer = await ASSETS.create({ type: 'footer' }, 'Leave: {{UNSUB_LINK}}');
  await expect(ASSETS.rewrite(footer, 'Bye')).rejects.toMatchObject({
    errors: { value: ['Footer must contain {{UNSUB_LINK}} placeholder for unsubscribe link.'] },
  });
});
