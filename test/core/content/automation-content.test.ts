import { beforeEach, expect, it } from 'vitest';
import type * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as automationContent from '#core/content/automation-content.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import type { Active } from '#core/organization/organization.ts';
import type { Table } from '#core/storage/table.store.ts';
import { AutomationContentChange } from '#shared/automation-content.ts';
import { MOST_LINKED } from '#shared/automation-link.ts';
import { PARTS, type Part, REQUIRED_PARTS } from '#shared/email/content.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewEmailTemplate } from '#shared/email-template.ts';
import { asset, template } from '#test/support/content.ts';
import { createAutomation } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { newOwner } from '#test/support/people.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const needs = { table, now };

let active: Active;
let organization: number;
beforeEach(async () => {
  active = await newOwner(table, now);
  organization = active.organization.id;
});

const newAutomation = (name = 'welcome') =>
  createAutomation(table, now, organization, { name, active: false });
const newAsset = async (fields: object) =>
  (await emailAssets.create(needs, organization, NewEmailAsset.parse(asset(fields)))).id;
const newTemplate = async (fields: object = {}) =>
  (await emailTemplates.create(needs, active, NewEmailTemplate.parse(template(fields)))).id;

const VALUES: Partial<Record<Part, string>> = {
  cta_url: 'https://example.com/',
  footer: 'Leave: {{UNSUB_LINK}}',
};
const textOf = (type: Part, nth: number) => `${VALUES[type] ?? PARTS[type]} ${nth}`.replace('/ ', '/');
const newAssets = (types: readonly Part[], each: number, fields: object = {}) =>
  Promise.all(
    types.flatMap(type =>
      Array.from({ length: each }, (_, nth) => newAsset({ type, value: textOf(type, nth), ...fields })),
    ),
  );

const change = (automation: automationStore.StoredAutomation, to: object, as = active, on: Table = table) =>
  automationContent.change({ ...needs, table: on }, as, automation, AutomationContentChange.parse(to));

it('content is linked and unlinked once, however often it is asked for, and keeps its other links', async () => {
  const automation = await newAutomation();
  const other = await newAutomation('other');
  const id = await newTemplate({ automation_ids: [other.id] });
  const assets = await newAssets(REQUIRED_PARTS, 2);
  for (const _ of ['once', 'again']) {
    const linked = await change(automation, { link: [id, ...assets] });
    expect(linked.templates.map(one => one.id)).toEqual([id]);
    expect(linked.combinations).toBe(1);
    expect(linked.active.assets).toMatchObject({ subject_line: 2, preheader: 0 });
  }
  for (const _ of ['once', 'again']) {
    const linked = await change(automation, { unlink: [id, assets[0]] });
    expect(linked.templates).toEqual([]);
    expect(linked.combinations).toBe(16);
  }
  expect((await automationContent.detail(needs, other)).templates.map(one => one.id)).toEqual([id]);
});

it('two who link at once both succeed', async () => {
  const [one, two] = [await newAutomation('one'), await newAutomation('two')];
  const id = await newTemplate();
  await Promise.all([one, two].map(automation => change(automation, { link: [id] })));
  for (const automation of [one, two]) {
    expect((await automationContent.detail(needs, automation)).combinations).toBe(1);
  }
});

it('content that a deleted automation had is linked to another as any is, and forgets it', async () => {
  const [automation, old] = [await newAutomation(), await newAutomation('old')];
  const id = await newTemplate({ automation_ids: [old.id] });
  const off = await newAsset({
    type: 'footer',
    value: VALUES.footer,
    is_active: false,
    automation_ids: [old.id],
  });
  await automations.remove(needs, old);
  const linked = await change(automation, { link: [id, off] });
  expect([linked.templates, linked.assets].map(some => some.map(one => one.id))).toEqual([[id], [off]]);
  expect((await change(automation, { unlink: [id, off] })).templates).toEqual([]);
});

it('nothing is changed where one of the content is linked to as many automations as it can be', async () => {
  const automation = await newAutomation();
  const others = await Promise.all(
    Array.from({ length: MOST_LINKED }, (_, nth) => newAutomation(`other_${nth}`)),
  );
  const full = await newTemplate({ name: 'full', automation_ids: others.map(({ id }) => id) });
  const free = await newTemplate({ name: 'free', subject_line: 'Free' });
  for (const link of [
    [full, free],
    [free, full],
  ])
    await expect(change(automation, { link })).rejects.toMatchObject({ errors: { link: expect.anything() } });
  expect((await automationContent.detail(needs, automation)).templates).toEqual([]);
  const [one] = others;
  if (one) await automations.remove(needs, one);
  expect((await change(automation, { link: [full, free] })).templates).toHaveLength(2);
});

it('content that replaces other is linked before that is unlinked', async () => {
  const automation = await newAutomation();
  const old = await newTemplate({ automation_ids: [automation.id] });
  const replacing = await newTemplate({ name: 'new', subject_line: 'New' });
  const seen: number[] = [];
  const watched = intercepted(table, async (send, { constructor: { name } }) => {
    const answer = await send();
    if (name === 'TransactWriteCommand')
      seen.push((await automationContent.detail(needs, automation)).combinations);
    return answer;
  });
  for (const [link, unlink] of [
    [replacing, old],
    [old, replacing],
  ])
    await change(automation, { link: [link], unlink: [unlink] }, active, watched);
  expect(seen).toEqual([2, 1, 2, 1]);
});

it('what is inactive is listed last, and makes no combination', async () => {
  const automation = await newAutomation();
  const automation_ids = [automation.id];
  await newAssets(REQUIRED_PARTS, 3, { automation_ids });
  await newAsset({ type: 'footer', value: 'Off: {{UNSUB_LINK}}', is_active: false, automation_ids });
  const { assets, combinations } = await automationContent.detail(needs, automation);
  expect(combinations).toBe(243);
  expect(assets.filter(({ type }) => type === 'footer').map(({ is_active }) => is_active)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

it('each content says what it asks for', async () => {
  const automation = await newAutomation();
  const fields = { subject_line: 'Hello {{first_name}}', automation_ids: [automation.id] };
  await newTemplate(fields);
  const [shown] = (await automationContent.detail(needs, automation)).templates;
  expect(shown).toMatchObject({
    columns: ['first_name'],
    warnings: [
      "No default is given for first_name: members without it see nothing in its place. Write {{first_name | 'friend'}}.",
    ],
    texts: { subject_line: 'Hello {{first_name}}' },
  });
});

it('nothing is changed where some of it is not there, or not the caller’s to change', async () => {
  const automation = await newAutomation();
  const assets = await newAssets(['footer'], 1);
  await expect(change(automation, { link: [...assets, 'nothere12345'] })).rejects.toMatchObject({
    errors: { link: ['This content does not exist any more'] },
  });
  const id = await newTemplate();
  const as = { ...active, membership: { ...active.membership, role: 'USER' as const, user_id: 'other' } };
  await expect(change(automation, { link: [...assets, id] }, as)).rejects.toMatchObject({
    reason: 'forbidden',
  });
  expect((await automationContent.detail(needs, automation)).assets).toEqual([]);
  await expect(change(automation, { unlink: ['nothere12345'] })).rejects.toMatchObject({
    errors: { unlink: ['This content does not exist any more'] },
  });
});

it('of several templates none is linked where one is not the caller’s to change', async () => {
  const automation = await newAutomation();
  const role = 'USER' as const;
  const as = { ...active, membership: { ...active.membership, role, user_id: 'other' } };
  const own = async (nth: number) =>
    (
      await emailTemplates.create(
        needs,
        as,
        NewEmailTemplate.parse(template({ name: `own ${nth}`, subject_line: `${nth}` })),
      )
    ).id;
  const link = [await own(1), await newTemplate(), await own(2), await own(3)];
  for (const some of [link, link.toReversed()])
    await expect(change(automation, { link: some }, as)).rejects.toMatchObject({ reason: 'forbidden' });
  expect((await automationContent.detail(needs, automation)).templates).toEqual([]);
});

it('much content is listed in part, counted in full', async () => {
  const automation = await newAutomation();
  const long = { type: 'pre_cta_content' as const, automation_ids: [automation.id] };
  for (let nth = 0; nth < 60; nth++) await newAsset({ ...long, value: `${nth} ${'a'.repeat(9_900)}` });
  const { assets, active: counts } = await automationContent.detail(needs, automation);
  expect(counts.assets.pre_cta_content).toBe(60);
  expect(assets.filter(({ value }) => value !== null)).toHaveLength(50);
});
