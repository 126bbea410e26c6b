import { beforeEach, expect, it } from 'vitest';
import * as automations from '#core/automation/automation.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import type * as list from '#core/list/list.ts';
import { getAll } from '#core/storage/table.store.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewEmailTemplate } from '#shared/email-template.ts';
import { asset, template } from '#test/support/content.ts';
import { createAutomation, newLists, stored } from '#test/support/core-automation.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { newOwner } from '#test/support/people.ts';
import type { form } from '#test/support/unstored.ts';

const table = freshTable();
const now = new Date('2026-03-01T12:00:40.000Z');

let a: list.CountedList;
let b: list.CountedList;
let id: number;
beforeEach(async () => {
  [a, b] = (await newLists(table, now, ['A', 'B'])) as [list.CountedList, list.CountedList];
  id = a.organization_id;
});
const create = (fields: Parameters<typeof form>[0] = {}) => createAutomation(table, now, id, fields);
const read = (of: { id: string }) => stored(table, id, of.id);

const required = ['subject_line', 'pre_cta_content', 'cta_text', 'cta_url', 'footer'] as const;
const needs = { table, now };
const eligibility = async (of: { id: string }) =>
  (await automations.detail({ table }, await read(of))).email_eligibility;
const missing = async (of: { id: string }) => {
  const { is_eligible, ...parts } = await eligibility(of);
  const names = Object.entries(parts).flatMap(([part, isThere]) => (isThere ? [] : [part]));
  expect(is_eligible).toBe(names.length === 0);
  return names.sort();
};
const VALUES: Partial<Record<string, string>> = {
  cta_url: 'https://example.com/',
  footer: 'Leave: {{UNSUB_LINK}}',
};
const newAsset = async (type: string, ...linked: { id: string }[]) => {
  const fields = asset({ type, automation_ids: linked.map(({ id }) => id) });
  const value = `${VALUES[type] ?? ''}${fields.value}`.replaceAll(' ', type === 'cta_url' ? '_' : ' ');
  const { id: assetId } = await emailAssets.create(needs, id, NewEmailAsset.parse({ ...fields, value }));
  return () => getAll(table, emailAssets.keysOf(id, assetId)).then(emailAssets.found);
};

it('whether an automation is eligible follows the status, the links and the deletion of each asset', async () => {
  const [automation, other] = [await create(), await create()];
  expect(await missing(automation)).toEqual([...required].sort());
  const assets = new Map<string, Awaited<ReturnType<typeof newAsset>>>();
  for (const part of required) assets.set(part, await newAsset(part, automation));
  expect(await missing(automation)).toEqual([]);
  expect(await missing(other)).toEqual([...required].sort());
  const of = async (part: string) => {
    const found = await assets.get(part)?.();
    if (!found) throw new Error('There is no such asset');
    return found;
  };
  await emailAssets.change(needs, await of('footer'), { is_active: false });
  expect(await missing(automation)).toEqual(['footer']);
  await emailAssets.change(needs, await of('footer'), { is_active: true });
  expect(await missing(automation)).toEqual([]);
  await emailAssets.change(needs, await of('cta_url'), { automation_ids: [other.id] });
  expect(await missing(automation)).toEqual(['cta_url']);
  expect(await missing(other)).not.toContain('cta_url');
  await emailAssets.remove(needs, await of('subject_line'));
  expect(await missing(automation)).toEqual(['cta_url', 'subject_line']);
  // A second one of a type is enough.
  await newAsset('subject_line', automation);
  await newAsset('preheader', automation);
  expect(await missing(automation)).toEqual(['cta_url']);
});

it('eligibility is answered for a page of automations in one request, beside those for them and their lists', async () => {
  const [one, other] = [
    await create({ email_list_ids: [a.id] }),
    await create({ email_list_ids: [a.id, b.id] }),
  ];
  for (const part of required) await newAsset(part, other);
  const reads: string[] = [];
  const on = intercepted(table, (send, { constructor: { name } }) => {
    reads.push(name);
    return send();
  });
  const rows = await automations.page({ table: on }, id, 1);
  expect(new Map(rows.map(row => [row.id, row.email_eligibility.is_eligible]))).toEqual(
    new Map([
      [one.id, false],
      [other.id, true],
    ]),
  );
  expect(reads.sort()).toEqual(['BatchGetCommand', 'BatchGetCommand', 'QueryCommand']);
  for (const row of rows) expect(row).toEqual(await automations.detail({ table }, await read(row)));
});

it('an automation needs nothing but one active template', async () => {
  const acting = await newOwner(table, now);
  id = acting.organization.id;
  const automation = await create();
  const fields = NewEmailTemplate.parse(template({ automation_ids: [automation.id] }));
  const created = await emailTemplates.create(needs, acting, fields);
  expect(await missing(automation)).toEqual([]);
  const keys = emailTemplates.keysOf(id, created.id);
  const found = async () => emailTemplates.found({ table }, acting, await getAll(table, keys));
  await emailTemplates.change(needs, await found(), { is_active: false });
  expect(await missing(automation)).toEqual([...required].sort());
  await emailTemplates.change(needs, await found(), { is_active: true });
  expect(await missing(automation)).toEqual([]);
  await emailTemplates.remove(needs, await found());
  expect(await missing(automation)).toEqual([...required].sort());
});
