import { beforeEach, describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as emailAssets from '#core/content/email-asset.ts';
import * as organizations from '#core/organization/organization.ts';
import { batchWrite, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { MOST_LINKED, MOST_LINKED_SET } from '#shared/automation-link.ts';
import { PARTS, type Part } from '#shared/email/content.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewEmailAssetSet } from '#shared/email-asset-set.ts';
import { asset, assetSet } from '#test/support/content.ts';
import { addMember, createAutomation, stored as storedAutomation } from '#test/support/core-automation.ts';
import { createList } from '#test/support/core-list.ts';
import { crashingAtEachWrite } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { actingIn, newOwner } from '#test/support/people.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const later = new Date('2030-01-02T12:00:00Z');
const needs = { table, now };

let owner: organizations.Active;
let organization: number;
beforeEach(async () => {
  owner = await newOwner(table, now);
  organization = owner.organization.id;
});

const newAutomation = (name = 'welcome', of = organization) =>
  createAutomation(table, now, of, { name, active: false });
const newAutomations = async (count: number) => {
  const names = Array.from({ length: count }, (_, at) => `automation_${at}`);
  return (await Promise.all(names.map(name => newAutomation(name)))).map(({ id }) => id);
};
const create = (fields: object, on: Table = table, at = now) =>
  emailAssets.createSet({ table: on, now: at }, organization, NewEmailAssetSet.parse(fields));
const newAsset = async (fields: object) => {
  const { id } = await emailAssets.create(needs, organization, NewEmailAsset.parse(asset(fields)));
  return id;
};
const find = async (id: string) =>
  emailAssets.found(await getAll(table, emailAssets.keysOf(organization, id)));

const stored = () => emailAssets.page({ table }, organization, { per_page: 100 });
const typesOf = (assets: { type: Part }[]) => assets.map(({ type }) => type);
const everything = () => queryPartition(table, `ORG#${organization}#CONTENT`);
async function usedBy(automation: string) {
  const linked = await automationStore.readLinked(table, organization, [automation]);
  return Object.fromEntries(
    Object.entries(linked.get(automation) ?? {}).map(([type, ids]) => [type, ids.size]),
  );
}
const ONE_OF_EACH = { subject_line: 1, pre_cta_content: 1, cta_text: 1, cta_url: 1, footer: 1 };

describe('a set', () => {
  it('is one asset of each type that is written, linked to the automations that use it', async () => {
    const [first = '', second = '', other = ''] = await newAutomations(3);
    const text = { subject_line: ' Spring  is here ', preheader: ' ', after_cta_content: 'See\r\nyou' };
    const set = assetSet({ ...text, name: 'Spring', automation_ids: [first, second, first] });
    const { created, existing, warnings } = await create(set);
    expect([typesOf(created), existing, warnings]).toEqual([
      ['subject_line', 'pre_cta_content', 'cta_text', 'cta_url', 'after_cta_content', 'footer'],
      [],
      undefined,
    ]);
    expect(created[0]).toMatchObject({ name: 'Spring', value: 'Spring is here', is_active: true });
    expect(created[4]?.value).toBe('See\nyou');
    for (const one of created) {
      const { emailAsset, automations } = await emailAssets.detail(needs, await find(one.id));
      expect([emailAsset, automations.map(({ id }) => id)]).toEqual([one, [first, second]]);
    }
    for (const id of [first, second]) {
      expect(await usedBy(id)).toEqual({ ...ONE_OF_EACH, after_cta_content: 1 });
      const [used] = await automationStore.readThese(table, organization, [id]);
      const { email_eligibility } = await automations.detail(needs, used as automationStore.StoredAutomation);
      expect(email_eligibility.is_eligible).toBe(true);
    }
    expect(await usedBy(other)).toEqual({});
  });

  it('says what its author may not have meant, by type', async () => {
    const { warnings } = await create(assetSet({ cta_text: 'Go, {{first_name}}', footer: '{{UNSUB_LINK}}' }));
    expect(warnings).toEqual({
      cta_text: [
        "No default is given for first_name: members without it see nothing in its place. Write {{first_name | 'friend'}}.",
      ],
    });
  });

  it('says which placeholders the members of its automations lack', async () => {
    const list = await createList(table, now, owner);
    await addMember(table, list, { email: 'ann@example.com', date: now, state: 'subscribed' });
    const { id } = await createAutomation(table, now, organization, { email_list_ids: [list.id] });
    const set = assetSet({ cta_text: "Go, {{plan | 'you'}}", automation_ids: [id] });
    expect((await create(set)).warnings).toEqual({ cta_text: [expect.stringContaining('plan')] });
  });

  it('is linked to as many automations as there can be, with all types', async () => {
    const ids = await newAutomations(MOST_LINKED_SET);
    const set = assetSet({ preheader: 'Look', after_cta_content: 'Bye', automation_ids: ids });
    await create(set);
    for (const id of ids) expect(Object.keys(await usedBy(id))).toHaveLength(Object.keys(PARTS).length);
    for (const more of [1, MOST_LINKED]) {
      const automation_ids = [...ids, ...Array(more).fill(ids[0])];
      expect(NewEmailAssetSet.safeParse({ ...set, automation_ids }).error?.issues).toMatchObject([
        { path: ['automation_ids'], message: 'At most 75 automations can be linked' },
      ]);
    }
  });

  it('that is not active is used by no automation until its assets are activated', async () => {
    const { id } = await newAutomation();
    const blank = { preheader: null, after_cta_content: ' \r\n ' };
    const { created } = await create(assetSet({ ...blank, is_active: false, automation_ids: [id] }));
    expect(await usedBy(id)).toEqual({});
    for (const one of created) await emailAssets.change(needs, await find(one.id), { is_active: true });
    expect(await usedBy(id)).toEqual(ONE_OF_EACH);
  });

  it('is created once, however often it is sent', async () => {
    const { id } = await newAutomation();
    const set = assetSet({ automation_ids: [id] });
    const first = await create(set);
    const before = await everything();
    expect(await create(set, table, later)).toEqual({ created: [], existing: first.created });
    expect(await everything()).toEqual(before);
  });

  it('is created once where two send it at once', async () => {
    const { id } = await newAutomation();
    const set = assetSet({ automation_ids: [id] });
    const both = await Promise.all([create(set), create(set)]);
    expect(both.map(({ created }) => created.length).sort()).toEqual([0, 5]);
    expect(await usedBy(id)).toEqual(ONE_OF_EACH);
    expect((await stored()).total).toBe(5);
  });

  it('is there as a whole, or not at all, wherever the process dies', async () => {
    const seen = new Set<number>();
    await crashingAtEachWrite(
      table,
      async () => ({ automation: (await newAutomation()).id, before: (await stored()).total }),
      async (on, { automation, before }) => {
        await create(assetSet({ automation_ids: [automation] }), on).finally(async () => {
          const added = (await stored()).total - before;
          seen.add(added);
          expect(await usedBy(automation)).toEqual(added === 0 ? {} : ONE_OF_EACH);
        });
      },
    );
    expect([...seen].sort()).toEqual([0, 5]);
  });
});

describe('where the same asset exists', () => {
  // Longer than what lists show of it.
  const footer = `Leave: {{UNSUB_LINK}} ${'.'.repeat(1_000)}`;

  it('that one is linked too, and is not changed otherwise', async () => {
    const [own = '', added = ''] = await newAutomations(2);
    const id = await newAsset({ name: 'Old', type: 'footer', value: footer, automation_ids: [own] });
    const set = assetSet({ name: 'New', footer, automation_ids: [added] });
    const { created, existing } = await create(set, table, later);
    expect(typesOf(created)).toEqual(['subject_line', 'pre_cta_content', 'cta_text', 'cta_url']);
    const { emailAsset, automations: linked } = await emailAssets.detail(needs, await find(id));
    expect(existing).toEqual([emailAsset]);
    expect(emailAsset).toMatchObject({
      name: 'Old',
      created_at: now.toISOString(),
      updated_at: later.toISOString(),
    });
    expect(linked.map(({ id }) => id)).toEqual([own, added]);
    expect(await usedBy(added)).toEqual(ONE_OF_EACH);
    expect(await usedBy(own)).toEqual({ footer: 1 });
  });

  it.each([
    [false, true, 'The same email asset exists, but is inactive: activate it first, or change this text.'],
    [true, false, 'The same email asset exists and is active: it cannot be part of a set that is not.'],
  ])('with another status, it is refused at its field: %s', async (is_active, wanted, text) => {
    const { id } = await newAutomation();
    await newAsset({ type: 'footer', value: footer, is_active });
    const before = await everything();
    const refused = create(assetSet({ footer, is_active: wanted, automation_ids: [id] }));
    await expect(refused).rejects.toMatchObject({ reason: 'invalid', errors: { footer: [text] } });
    expect(await everything()).toEqual(before);
  });

  it('with as many automations as it can have, it is refused at its field', async () => {
    const ids = await newAutomations(MOST_LINKED + 1);
    const linked = ids.slice(0, MOST_LINKED);
    await newAsset({ type: 'footer', value: footer, automation_ids: linked });
    const last = ids[MOST_LINKED];
    const text =
      'The same email asset exists, and has no place for so many more automations: change this text.';
    await expect(create(assetSet({ footer, automation_ids: [last] }))).rejects.toMatchObject({
      errors: { footer: [text] },
    });
    expect(await usedBy(last as string)).toEqual({});
    await create(assetSet({ footer, automation_ids: [ids[0]] }));
    expect(await usedBy(ids[0] as string)).toEqual(ONE_OF_EACH);
  });

  it('and is deleted meanwhile, it is created anew', async () => {
    const { id } = await newAutomation();
    const old = await newAsset({ type: 'footer', value: footer });
    const meanwhile = async () => emailAssets.remove(needs, await find(old));
    const on = beforeFirst(table, 'TransactWriteCommand', meanwhile);
    const { created, existing } = await create(assetSet({ footer, automation_ids: [id] }), on);
    expect([created.length, existing]).toEqual([5, []]);
    expect(await usedBy(id)).toEqual(ONE_OF_EACH);
  });

  it('and is linked to another automation meanwhile, it keeps both', async () => {
    const [one = '', two = ''] = await newAutomations(2);
    const id = await newAsset({ type: 'footer', value: footer });
    const meanwhile = async () => emailAssets.change(needs, await find(id), { automation_ids: [two] });
    await create(
      assetSet({ footer, automation_ids: [one] }),
      beforeFirst(table, 'TransactWriteCommand', meanwhile),
    );
    const { automations: linked } = await emailAssets.detail(needs, await find(id));
    expect(linked.map(({ id }) => id)).toEqual([one, two]);
    expect([await usedBy(one), await usedBy(two)]).toEqual([ONE_OF_EACH, { footer: 1 }]);
  });
});

describe('meanwhile', () => {
  const footer = 'Leave: {{UNSUB_LINK}}';
  const createAfter = (happen: () => Promise<unknown>, fields: object) =>
    create(assetSet({ footer, ...fields }), beforeFirst(table, 'TransactWriteCommand', happen));

  it('another set with the same footer is created: both are linked to it', async () => {
    const [one = '', two = ''] = await newAutomations(2);
    const other = () => create(assetSet({ footer, automation_ids: [two] }));
    const { created, existing } = await createAfter(other, { automation_ids: [one] });
    expect([created.length, typesOf(existing)]).toEqual([4, ['footer']]);
    expect([await usedBy(one), await usedBy(two)]).toEqual([ONE_OF_EACH, ONE_OF_EACH]);
    expect((await stored()).total).toBe(9);
  });

  it('one of its assets is created by itself: that one is linked', async () => {
    const { id } = await newAutomation();
    const { existing } = await createAfter(() => newAsset({ type: 'footer', value: footer }), {
      automation_ids: [id],
    });
    expect(typesOf(existing)).toEqual(['footer']);
    expect(await usedBy(id)).toEqual(ONE_OF_EACH);
  });

  it('an asset that is linked already is deactivated: the set is refused', async () => {
    const { id } = await newAutomation();
    const there = await newAsset({ type: 'footer', value: footer, automation_ids: [id] });
    const deactivate = async () => emailAssets.change(needs, await find(there), { is_active: false });
    await expect(createAfter(deactivate, { automation_ids: [id] })).rejects.toMatchObject({
      errors: { footer: [expect.stringContaining('activate it first')] },
    });
    expect(await usedBy(id)).toEqual({});
    expect((await stored()).total).toBe(1);
  });

  it.each([true, false])(
    'an automation is deleted: the set is refused, active or not: %s',
    async is_active => {
      const [own = '', gone = ''] = await newAutomations(2);
      const remove = async () => automations.remove(needs, await storedAutomation(table, organization, gone));
      await expect(createAfter(remove, { is_active, automation_ids: [own, gone] })).rejects.toMatchObject({
        errors: { automation_ids: ['One of the automations does not exist any more'] },
      });
      expect(await usedBy(own)).toEqual({});
      expect(await everything()).toEqual([{ PK: expect.anything(), SK: `LINKED#${own}` }]);
    },
  );

  it('the organization is deleted: nothing is stored', async () => {
    const { user_id } = owner.membership;
    organization = (await organizations.create(needs, user_id, 'Annex')).id;
    const acting = await actingIn(table, user_id, organization);
    await expect(createAfter(() => organizations.remove(needs, acting), {})).rejects.toMatchObject({
      reason: 'conflict',
    });
    expect(await everything()).toEqual([]);
  });
});

it('what exists is linked without the automations that are deleted, which count no more', async () => {
  const [own = '', gone = ''] = await newAutomations(2);
  const id = await newAsset({ type: 'footer', value: '1 {{UNSUB_LINK}}', automation_ids: [gone] });
  await automations.remove(needs, await storedAutomation(table, organization, gone));
  await create(assetSet({ footer: '1 {{UNSUB_LINK}}', automation_ids: [own] }));
  expect((await find(id)).head.automation_ids).toEqual(new Set([own]));
});

describe('nothing of a set is stored', () => {
  it('for an automation that has as many active assets of one of its types as it can have', async () => {
    const { id } = await newAutomation();
    const footers = new Set(Array.from({ length: 1_000 }, (_, at) => String(at).padStart(12, '0')));
    const linked = { PK: `ORG#${organization}#CONTENT`, SK: `LINKED#${id}`, footer: footers };
    await batchWrite(table, { puts: [linked] });
    await expect(create(assetSet({ automation_ids: [id] }))).rejects.toMatchObject({
      errors: { automation_ids: ['One of the automations has 1,000 of this type already'] },
    });
    expect(await everything()).toEqual([linked]);
  });

  it('where the organization has no place for all of it', async () => {
    const counts = { PK: `ORG#${organization}#CONTENT`, SK: 'COUNTS', asset: 9_996 };
    await batchWrite(table, { puts: [counts] });
    await expect(create(assetSet())).rejects.toMatchObject({
      message: 'An organization can have at most 10,000 of them.',
    });
    expect(await everything()).toEqual([counts]);
    await batchWrite(table, { puts: [{ ...counts, asset: 9_995 }] });
    const { footer } = assetSet();
    await newAsset({ type: 'footer', value: footer });
    // What exists has its place already.
    await create(assetSet({ footer }));
    expect((await everything()).find(({ SK }) => SK === 'COUNTS')?.asset).toBe(10_000);
  });
});
