import { beforeEach, describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as combination from '#core/content/combination.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import type { Active } from '#core/organization/organization.ts';
import { batchWrite, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { commit, deleteWrite } from '#core/storage/write.store.ts';
import { MOST_LINKED } from '#shared/automation-link.ts';
import { MOST_CONTENT } from '#shared/content-query.ts';
import { PARTS, type Part, REQUIRED_PARTS } from '#shared/email/content.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewEmailTemplate } from '#shared/email-template.ts';
import { asset, template } from '#test/support/content.ts';
import { createAutomation, stored } from '#test/support/core-automation.ts';
import { type CrashPoint, crashing } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { newOwner, newUser } from '#test/support/people.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const needs = { table, now };

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

async function newAsset(fields: object = {}, on: Table = table) {
  const { id } = await emailAssets.create(
    { table: on, now },
    organization,
    NewEmailAsset.parse(asset(fields)),
  );
  return findAsset(id);
}
const findAsset = async (id: string) =>
  emailAssets.found(await getAll(table, emailAssets.keysOf(organization, id)));

async function newTemplate(fields: object = {}) {
  const { id } = await emailTemplates.create(needs, active, NewEmailTemplate.parse(template(fields)));
  return findTemplate(id);
}
const findTemplate = async (id: string, as = active) =>
  emailTemplates.found({ table }, as, await getAll(table, emailTemplates.keysOf(organization, id)));

async function linkedTo(automation: string) {
  const linked = await automationStore.readLinked(table, organization, [automation]);
  return Object.fromEntries(
    Object.entries(linked.get(automation) ?? {}).map(([kind, ids]) => [kind, [...ids].sort()]),
  );
}

it.each([
  ['an asset', newAsset],
  ['a template', newTemplate],
])('%s that is created inactive is used by no automation until it is activated', async (_, create) => {
  const automation = await newAutomation();
  const { head } = await create({ is_active: false, automation_ids: [automation] });
  expect(await linkedTo(automation)).toEqual({});
  const unknown = { is_active: false, automation_ids: ['x'.repeat(12)] };
  await expect(create(unknown)).rejects.toMatchObject({
    errors: { automation_ids: ['One of the automations does not exist any more'] },
  });
  const change = { is_active: true };
  if ('type' in head) await emailAssets.change(needs, await findAsset(head.id), change);
  else await emailTemplates.change(needs, await findTemplate(head.id), change);
  expect(Object.values(await linkedTo(automation))).toEqual([[head.id]]);
});

it.each<[string, (id: string, another: string) => Promise<unknown>]>([
  [
    'linked to another',
    async (id, another) => emailAssets.change(needs, await findAsset(id), { automation_ids: [another] }),
  ],
  [
    'activated and deactivated',
    async id => {
      await emailAssets.change(needs, await findAsset(id), { is_active: true });
      await emailAssets.change(needs, await findAsset(id), { is_active: false });
    },
  ],
  ['stored as it is', async id => emailAssets.change(needs, await findAsset(id), {})],
  ['deleted', async id => emailAssets.remove(needs, await findAsset(id))],
])('an asset that is not active, but listed by mistake, is used no more once it is %s', async (_, change) => {
  const [automation = '', another = ''] = await newAutomations(2);
  const { id } = (await newAsset({ is_active: false, automation_ids: [automation] })).head;
  const link = { organization, automation, ids: { subject_line: id } };
  await commit(table, [automationStore.linkWrite(table, link, { most: MOST_CONTENT, now })]);
  await change(id, another);
  expect([await linkedTo(automation), await linkedTo(another)]).toEqual([{}, {}]);
});

it('an asset that is not active is not linked to an automation that is deleted meanwhile', async () => {
  const [automation = ''] = await newAutomations(1);
  const made = await newAsset({ is_active: false });
  const on = beforeFirst(table, 'TransactWriteCommand', async () =>
    automations.remove(needs, await stored(table, organization, automation)),
  );
  const change = { automation_ids: [automation] };
  await expect(emailAssets.change({ table: on, now }, made, change)).rejects.toMatchObject({
    errors: { automation_ids: ['One of the automations does not exist any more'] },
  });
  expect((await findAsset(made.head.id)).head.automation_ids).toBeUndefined();
});

describe('an asset', () => {
  it('is linked to its automations while it is active', async () => {
    const [first = '', second = ''] = await newAutomations(2);
    const made = await newAsset({ automation_ids: [first] });
    const { id } = made.head;
    expect(await linkedTo(first)).toEqual({ subject_line: [id] });

    await emailAssets.change(needs, made, { automation_ids: [second] });
    expect([await linkedTo(first), await linkedTo(second)]).toEqual([{}, { subject_line: [id] }]);
    await emailAssets.change(needs, await findAsset(id), { is_active: false });
    expect(await linkedTo(second)).toEqual({});
    await emailAssets.change(needs, await findAsset(id), { automation_ids: [first, second] });
    expect([await linkedTo(first), await linkedTo(second)]).toEqual([{}, {}]);
    await emailAssets.change(needs, await findAsset(id), { is_active: true });
    expect(await linkedTo(first)).toEqual({ subject_line: [id] });
    await emailAssets.remove(needs, await findAsset(id));
    expect([await linkedTo(first), await linkedTo(second)]).toEqual([{}, {}]);
  });

  it('is refused where there is one of the same type and content, until that one is deleted', async () => {
    const made = await newAsset({ value: 'The same' });
    await expect(newAsset({ value: 'The same', name: 'Another' })).rejects.toMatchObject({
      errors: { value: ['An email asset with this type and content already exists'] },
    });
    await newAsset({ value: 'The same', type: 'cta_text' });
    await emailAssets.remove(needs, made);
    await newAsset({ value: 'The same' });
  });

  it('is created once where two create it at once', async () => {
    const body = { value: 'At once' };
    const both = await Promise.allSettled([newAsset(body), newAsset(body)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('that names an automation that does not exist is refused, and nothing is linked', async () => {
    const there = await newAutomation();
    const refused = { errors: { automation_ids: ['One of the automations does not exist any more'] } };
    await expect(newAsset({ automation_ids: [there, 'x'.repeat(12)] })).rejects.toMatchObject(refused);
    expect(await linkedTo(there)).toEqual({});
    const made = await newAsset();
    for (const is_active of [true, false]) {
      await emailAssets.change(needs, made, { is_active });
      const change = { automation_ids: [there, 'x'.repeat(12)] };
      await expect(emailAssets.change(needs, await findAsset(made.head.id), change)).rejects.toMatchObject(
        refused,
      );
    }
    expect(await linkedTo(there)).toEqual({});
  });

  it('forgets an automation that was deleted with its next change', async () => {
    const [gone = '', kept = ''] = await newAutomations(2);
    const made = await newAsset({ automation_ids: [gone, kept] });
    await deleteAutomation(gone);
    expect((await emailAssets.detail(needs, made)).automations).toEqual([{ id: kept, name: 'automation_1' }]);
    const changed = await emailAssets.change(needs, made, { is_active: false });
    expect(changed.automations.map(({ id }) => id)).toEqual([kept]);
    await emailAssets.change(needs, await findAsset(made.head.id), { is_active: true });
    expect(await linkedTo(kept)).toEqual({ subject_line: [made.head.id] });
  });

  it('moves from as many automations as there can be to as many others', async () => {
    const from = await newAutomations(MOST_LINKED);
    const to = await newAutomations(MOST_LINKED);
    const made = await newAsset({ automation_ids: from });
    const changed = await emailAssets.change(needs, made, { automation_ids: to });
    expect(changed.automations.map(({ id }) => id).sort()).toEqual([...to].sort());
    const linked = await automationStore.readLinked(table, organization, [...from, ...to]);
    const having = [...linked].filter(([, { subject_line }]) => subject_line?.has(made.head.id));
    expect(having.map(([id]) => id).sort()).toEqual([...to].sort());
  });

  it.each(['before', 'after'] as const)(
    'is linked as it says where the process dies %s a write',
    async how => {
      const [first = '', second = ''] = await newAutomations(2);
      const made = await newAsset({ automation_ids: [first] });
      for (let at = 1; at <= 2; at++) {
        const cut: CrashPoint = { at, how };
        const change = { automation_ids: [second] };
        await emailAssets
          .change({ table: crashing(table, cut), now }, await findAsset(made.head.id), change)
          .catch(() => {});
        const { head } = await findAsset(made.head.id);
        for (const id of [first, second]) {
          expect(await linkedTo(id)).toEqual(head.automation_ids?.has(id) ? { subject_line: [head.id] } : {});
        }
      }
    },
  );

  it('keeps both changes where one of its links and one of its status meet', async () => {
    const [first = '', second = ''] = await newAutomations(2);
    const made = await newAsset({ automation_ids: [first] });
    const meanwhile = () => emailAssets.change(needs, made, { is_active: false });
    const on = beforeFirst(table, 'TransactWriteCommand', meanwhile);
    const changed = await emailAssets.change({ table: on, now }, made, { automation_ids: [second] });
    expect(changed).toMatchObject({ emailAsset: { is_active: false }, automations: [{ id: second }] });
    expect([await linkedTo(first), await linkedTo(second)]).toEqual([{}, {}]);
  });

  it('is not changed once it is deleted', async () => {
    const made = await newAsset();
    await emailAssets.remove(needs, made);
    const gone = { reason: 'not-found', message: 'Email asset not found' };
    await expect(emailAssets.change(needs, made, { is_active: false })).rejects.toMatchObject(gone);
    await expect(emailAssets.remove(needs, made)).rejects.toMatchObject(gone);
    await expect(findAsset(made.head.id)).rejects.toMatchObject(gone);
  });
});

async function deleteAutomation(id: string) {
  await commit(table, [
    deleteWrite(table, { PK: `ORG#${organization}`, SK: `AUTO#${id}` }),
    deleteWrite(table, { PK: `ORG#${organization}#CONTENT`, SK: `LINKED#${id}` }),
  ]);
}

describe('a template', () => {
  it('belongs to its creator, may be edited by admins, and is handed over by its owner alone', async () => {
    const made = await newTemplate();
    const other = await newUser(table, now);
    const as = (role: 'OWNER' | 'ADMIN' | 'USER' | 'VIEWER', user_id = other.id): Active => ({
      ...active,
      membership: { ...active.membership, role, user_id },
    });
    const rights = async (who: Active) => {
      const { is_owner, can_edit } = await findTemplate(made.head.id, who);
      const [row] = await emailTemplates.page({ table }, who, {});
      expect(row).toMatchObject({ is_owner, can_edit });
      return { is_owner, can_edit };
    };
    expect(await rights(active)).toEqual({ is_owner: true, can_edit: true });
    expect(await rights(as('ADMIN'))).toEqual({ is_owner: false, can_edit: true });
    expect(await rights(as('USER'))).toEqual({ is_owner: false, can_edit: false });

    const byAdmin = await findTemplate(made.head.id, as('ADMIN'));
    for (const refused of [
      () => emailTemplates.remove(needs, byAdmin),
      () => emailTemplates.handOver(needs, as('ADMIN'), byAdmin, other.id),
    ]) {
      await expect(refused()).rejects.toMatchObject({ reason: 'forbidden' });
    }
    const byUser = await findTemplate(made.head.id, as('USER'));
    for (const refused of [
      () => emailTemplates.change(needs, byUser, { name: 'Mine' }),
      () => emailTemplates.dataOf(needs, byUser),
    ]) {
      await expect(refused()).rejects.toMatchObject({ reason: 'forbidden' });
    }

    await expect(emailTemplates.handOver(needs, active, made, other.id)).rejects.toMatchObject({
      errors: { user_id: ['Choose a member of the organization who may edit templates'] },
    });
    const becomes = (role: string) =>
      batchWrite(table, {
        puts: [{ PK: `ORG#${organization}`, SK: `MEMBER#${other.id}`, user_id: other.id, role }],
      });
    await becomes('USER');
    const handed = await emailTemplates.handOver(needs, active, made, other.id);
    expect(handed).toMatchObject({ is_owner: false, can_edit: true });
    expect(await rights(as('USER'))).toEqual({ is_owner: true, can_edit: true });
    // Whoever becomes a viewer has no rights to what they own; the owner of the organization has them.
    expect(await rights(as('VIEWER'))).toEqual({ is_owner: false, can_edit: false });
    await becomes('VIEWER');
    expect(await rights(active)).toEqual({ is_owner: true, can_edit: true });
    const refused = emailTemplates.handOver(needs, active, await findTemplate(made.head.id), other.id);
    await expect(refused).rejects.toMatchObject({ errors: { user_id: expect.anything() } });
    await becomes('USER');
    expect(await rights(active)).toEqual({ is_owner: false, can_edit: true });
    // Where the owner has left, the organization's owner is.
    await commit(table, [deleteWrite(table, { PK: `ORG#${organization}`, SK: `MEMBER#${other.id}` })]);
    expect(await rights(active)).toEqual({ is_owner: true, can_edit: true });
  });

  it('keeps its content: the same may be sent again, anything else is refused', async () => {
    const made = await newTemplate({ preheader: null });
    const { name: _, automation_ids: __, is_active: ___, ...same } = template(made.text);
    await emailTemplates.change(needs, made, { ...same, preheader: '', name: 'New name' } as never);
    const refusal = emailTemplates.change(needs, made, {
      ...same,
      footer: '{{UNSUB_LINK}}!',
      language_code: 'de',
    } as never);
    const locked = [
      'The content of a template cannot be changed: create a new version of it, or duplicate the template',
    ];
    await expect(refusal).rejects.toMatchObject({ errors: { footer: locked, language_code: locked } });
    expect((await findTemplate(made.head.id)).text.footer).toBe(made.text.footer);
    expect((await findTemplate(made.head.id)).head.name).toBe('New name');
  });

  it('is refused where there is one of the same content, whatever its name', async () => {
    const fields = { pre_cta_content: 'The same' };
    await newTemplate(fields);
    await expect(newTemplate({ ...fields, name: 'Other' })).rejects.toMatchObject({
      errors: { template: ['A template with this content already exists'] },
    });
    await newTemplate({ ...fields, language_code: 'de' });
  });

  it('is duplicated with its links, and without what another must not have', async () => {
    const automation = await newAutomation();
    const made = await newTemplate({ automation_ids: [automation] });
    const { id: _, ...text } = made.text as typeof made.text & { id: string };
    expect(await emailTemplates.dataOf(needs, made)).toEqual({
      ...text,
      name: 'Welcome (copy)',
      is_active: true,
      automation_ids: [automation],
    });
  });

  it('leaves its text for reports when it is deleted', async () => {
    const made = await newTemplate();
    await emailTemplates.change(needs, made, { name: 'Last name' });
    await emailTemplates.remove(needs, await findTemplate(made.head.id));
    const left = await queryPartition(table, `ORG#${organization}#CONTENT`, 'TEXT#');
    expect(left).toMatchObject([
      { name: 'Last name', footer: made.text.footer, deleted_at: now.toISOString() },
    ]);
  });
});

describe('the lists', () => {
  it('show templates by name, searched, filtered and paged', async () => {
    const automation = await newAutomation();
    for (const [at, name] of ['Beta', 'alpha', 'Gamma'].entries()) {
      await newTemplate({
        name,
        language_code: at ? 'de' : 'en',
        automation_ids: at === 2 ? [automation] : [],
      });
    }
    const names = async (query: Parameters<typeof emailTemplates.page>[2]) =>
      (await emailTemplates.page(needs, active, query)).map(({ name }) => name);
    expect(await names({})).toEqual(['alpha', 'Beta', 'Gamma']);
    expect(await names({ search: 'ALPH' })).toEqual(['alpha']);
    expect(await names({ search: 'welcome aboard', per_page: 2, page: 2 })).toEqual(['Gamma']);
    expect(await names({ languages: ['de'] })).toEqual(['alpha', 'Gamma']);
    expect(await names({ automations: [automation] })).toEqual(['Gamma']);
    expect(await names({ status: 'inactive' })).toEqual([]);
    expect(await emailTemplates.summary(needs, organization, { languages: ['de'] })).toEqual({
      total: 3,
      found: 2,
      languages: ['de', 'en'],
    });
  });

  it('show assets, the newest first, by type and text', async () => {
    const types = Object.keys(PARTS) as Part[];
    for (const [at, type] of types.entries()) {
      const value = type === 'cta_url' ? 'https://example.com' : `${type} {{UNSUB_LINK}}`;
      const clock = new Date(now.getTime() + at);
      await emailAssets.create(
        { table, now: clock },
        organization,
        NewEmailAsset.parse(asset({ type, value })),
      );
    }
    const page = await emailAssets.page(needs, organization, { per_page: 2, page: 1 });
    expect(page).toMatchObject({ total: 7, found: 7, current_page: 1, last_page: 4 });
    expect(page.data.map(({ type }) => type)).toEqual(['footer', 'after_cta_content']);
    const found = await emailAssets.page(needs, organization, {
      search: 'unsub',
      types: ['footer', 'cta_url'],
    });
    expect(found.data.map(({ excerpt }) => excerpt)).toEqual(['footer {{UNSUB_LINK}}']);
  });
});

describe('the content of an email', () => {
  const chooseFor = (automation: string, key = 'a') =>
    combination.choose({ table }, organization, automation, { seed: key });

  it('is a template, or one asset of each type, or nothing', async () => {
    const automation = await newAutomation();
    const automation_ids = [automation];
    expect(await chooseFor(automation)).toBeUndefined();
    for (const type of REQUIRED_PARTS) {
      expect(await chooseFor(automation)).toBeUndefined();
      const value = type === 'cta_url' ? 'https://example.com' : `${type} {{UNSUB_LINK}}`;
      await newAsset({ type, value, automation_ids });
    }
    const ofAssets = await chooseFor(automation);
    expect(ofAssets).toMatchObject({ content: { subject_line: 'subject_line {{UNSUB_LINK}}' } });
    expect(ofAssets?.id).toMatch(/^[0-9a-f]{12}$/);
    expect(ofAssets?.template_id).toBeUndefined();

    const { head } = await newTemplate({ automation_ids, language_code: 'ar' });
    expect(await chooseFor(automation)).toMatchObject({ id: head.id, template_id: head.id, language: 'ar' });
    await emailTemplates.remove(needs, await findTemplate(head.id));
    expect(await chooseFor(automation)).toEqual(ofAssets);
  });

  it('is the same for the same key, and any of the candidates for others', async () => {
    const automation = await newAutomation();
    const made = [];
    for (let i = 0; i < 3; i++) made.push((await newTemplate({ automation_ids: [automation] })).head.id);
    const chosen = async (key: string) => (await chooseFor(automation, key))?.id;
    const keys = Array.from({ length: 40 }, (_, at) => `key ${at}`);
    const first = await Promise.all(keys.map(chosen));
    expect(await Promise.all(keys.map(chosen))).toEqual(first);
    expect([...new Set(first)].sort()).toEqual([...made].sort());
  });
});

it('an organization has at most so much content, also where two create the last at once', async () => {
  const PK = `ORG#${organization}#CONTENT`;
  await batchWrite(table, { puts: [{ PK, SK: 'COUNTS', asset: MOST_CONTENT - 1 }] });
  const both = await Promise.allSettled([newAsset(), newAsset()]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(newAsset()).rejects.toMatchObject({ reason: 'conflict' });
});

const later = { table, now: new Date('2030-03-01T12:00:00Z') };
it.each([
  ['activated', false, { is_active: true }, ['2030-03-01']],
  ['paused', true, { is_active: false }, ['2030-01-01', '2030-03-01']],
  ['unlinked', true, { automation_ids: [] }, ['2030-01-01', '2030-03-01']],
  ['deleted', true, undefined, ['2030-01-01', '2030-03-01']],
  ['stored as it is', true, {}, ['2030-01-01']],
  ['deleted while it is not active', false, undefined, []],
])(
  'an automation notes the days on which what it sends was changed: an asset is %s',
  async (_, is_active, to, days) => {
    const [automation = ''] = await newAutomations(1);
    const { id } = (await newAsset({ is_active, automation_ids: [automation] })).head;
    const found = await findAsset(id);
    await (to ? emailAssets.change(later, found, to) : emailAssets.remove(later, found));
    const noted = (await automationStore.readChangedDays(table, organization, [automation])).get(automation);
    expect([...(noted ?? [])].sort()).toEqual(days);
  },
);
