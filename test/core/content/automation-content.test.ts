import { beforeEach, expect, it } from 'vitest';
import * as automations from '../../../functions/core/automation/automation/automation.ts';
import * as automationContent from '../../../functions/core/content/automation-content/automation-content.ts';
import * as emailAssets from '../../../functions/core/content/email-asset/email-asset.ts';
import * as emailTemplates from '../../../functions/core/content/email-template/email-template.ts';
import type { Active } from '../../../functions/core/organization/organization/organization.ts';
import { getAll } from '../../../functions/core/storage/table.store.ts';
import { NewAutomation } from '../../../shared/automation.ts';
import { AutomationContentChange } from '../../../shared/automation-content.ts';
import { PARTS, type Part, REQUIRED_PARTS } from '../../../shared/email/content.ts';
import { NewEmailAsset } from '../../../shared/email-asset.ts';
import { NewEmailTemplate } from '../../../shared/email-template.ts';
import { asset, template } from '../../support/content.ts';
import { freshTable } from '../../support/engine.ts';
import { actingIn, newUser } from '../../support/people.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const needs = { table, now };

let active: Active;
let organization: number;
beforeEach(async () => {
  const owner = await newUser(table, now);
  active = await actingIn(table, owner.id, owner.organizationId);
  organization = active.organization.id;
});

async function newAutomation(name = 'welcome') {
  const { id } = await automations.create(needs, organization, NewAutomation.parse({ name, active: false }));
  return automations.found(await getAll(table, automations.keysOf(organization, id)));
}
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

const change = (automation: automations.StoredAutomation, to: object, as = active) =>
  automationContent.change(needs, as, automation, AutomationContentChange.parse(to));

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
    warnings: ['No default is given for first_name: members without it see nothing in its place.'],
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

it('much content is listed in part, counted in full', async () => {
  const automation = await newAutomation();
  const long = { type: 'pre_cta_content' as const, automation_ids: [automation.id] };
  for (let nth = 0; nth < 60; nth++) await newAsset({ ...long, value: `${nth} ${'a'.repeat(9_900)}` });
  const { assets, active: counts } = await automationContent.detail(needs, automation);
  expect(counts.assets.pre_cta_content).toBe(60);
  expect(assets.filter(({ value }) => value !== null)).toHaveLength(50);
});
