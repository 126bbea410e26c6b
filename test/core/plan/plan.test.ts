import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as sequenceStore from '#core/automation/sequence.store.ts';
import * as content from '#core/content/content.store.ts';
import * as lists from '#core/list/list.ts';
import { idOf, isHeldOut } from '#core/organization/holdout.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as plans from '#core/plan/plan.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { readState } from '#core/sending/forecast/predict.ts';
import { batchWrite, queryPartition, type Table } from '#core/storage/table.store.ts';
import { MOST_CONTENT } from '#shared/content-query.ts';
import { DesiredState } from '#shared/plan.ts';
import { template } from '#test/support/content.ts';
import { type CrashPoint, crashing, survives } from '#test/support/crash.ts';
import { type Sender, start } from '#test/support/deliveries.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { allItems } from '#test/support/scan.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
const { automation_ids: _, ...TEXT } = template({ pre_cta_content: 'Hello' });

let sender: Sender;
let readers: Awaited<ReturnType<Sender['newList']>>;
beforeEach(async () => {
  sender = await newSender(table, start);
  readers = await sender.newList({ name: 'Readers' });
});

const needs = (on: Table = table) => ({
  table: on,
  now: sender.now,
  user: sender.acting.membership.user_id,
  active: sender.acting,
  scopes: undefined,
  hasTimeLeft: () => true,
});
const make = (desired: object, on?: Table) => plans.make(needs(on), DesiredState.parse(desired));
const apply = (hash: string, on?: Table) => plans.apply(needs(on), hash, {});
const makeAndApply = (desired: object) => make(desired).then(({ hash }) => apply(hash));
const state = () => readState(table, sender.organization);
const named = async (name: string) => {
  const all = await automationStore.readAll(table, sender.organization);
  return all.find(one => one.name === name);
};

/** Of each kind, created, changed and deleted. */
const scene = async () => {
  const lists = [readers.id];
  const old = await sender.newAutomation({ name: 'old', email_list_ids: lists });
  const kept = await sender.newAutomation({ name: 'kept', email_list_ids: lists, delay_days: 3 });
  await sender.newTemplate([kept.id, old.id], { name: 'Wording' });
  await sender.newTemplate([old.id], { name: 'Gone' });
  return {
    automations: [
      { name: 'kept', delay_days: 4 },
      { name: 'fresh', email_lists: ['Readers'], delay_days: 1 },
    ],
    sequences: [
      {
        name: 'Course',
        active: true,
        email_lists: ['Readers'],
        steps: [{ name: 'first' }, { name: 'second', delay_days: 2 }],
        holdout_percent: 20,
      },
    ],
    templates: [
      { name: 'Wording', cta_text: 'Read on' },
      { ...TEXT, name: 'New', automations: ['fresh', 'first', 'second'] },
    ],
    assets: [{ name: 'Subject', type: 'subject_line', value: 'Come back', automations: ['fresh'] }],
    safeguards: { max_emails_24_hours: 9 },
    sending_hours: { quiet_hours: [{ from: '22:00', until: '06:00' }] },
    holdout: { percent: 10 },
    delete: { automations: ['old'], templates: ['Gone'] },
  };
};

/** The record, without the copies that automations show. */
const entries = async () =>
  (await queryPartition(table, `ORG#${sender.organization}#RECORD`)).filter(
    ({ SK }) => !String(SK).startsWith('~'),
  );

/** What is stored, without what each write has anew. */
const stored = async () => {
  const { automations, linked, safeguards, organization } = await state();
  const templates = await content.readHeads<content.Head & { name: string }>(
    table,
    sender.organization,
    'template',
  );
  const nameOf = (id: string) => automations.get(id)?.name ?? id;
  return {
    automations: [...automations.values()]
      .map(({ name, active, delay_days }) => [name, active, delay_days])
      .sort(),
    linked: [...linked]
      .map(([id, of]) => [nameOf(id), of.template?.size ?? 0, of.subject_line?.size ?? 0])
      .sort(),
    templates: templates
      .map(({ name, is_active, version = 1, automation_ids = [] }) => [
        name,
        version,
        is_active,
        [...automation_ids].map(nameOf).sort(),
      ])
      .sort(),
    sequences: (await sequenceStore.readAll(table, sender.organization)).map(
      ({ name, active, steps, ...of }) => [
        name,
        active,
        of.holdout_percent,
        steps.map(({ automation_id }) => nameOf(automation_id)),
      ],
    ),
    limit: safeguards.max_emails_24_hours,
    held_out: organization?.holdout_percent,
    quiet: organization?.hours?.at(-1)?.quiet_hours,
    places: [organization?.automations, organization?.active_automations, organization?.sequences],
  };
};

const RESULT = {
  automations: [
    ['first', true, 0],
    ['fresh', true, 1],
    ['kept', true, 4],
    ['second', true, 2],
  ],
  linked: [
    ['first', 1, 0],
    ['fresh', 1, 1],
    ['kept', 1, 0],
    ['second', 1, 0],
  ],
  templates: [
    ['New', 1, true, ['first', 'fresh', 'second']],
    ['Wording', 1, false, []],
    ['Wording', 2, true, ['kept']],
  ],
  sequences: [['Course', true, 20, ['first', 'second']]],
  limit: 9,
  held_out: 10,
  quiet: [{ from: '22:00', until: '06:00' }],
  places: [4, 4, 1],
};

describe('A plan of all kinds', () => {
  it('is applied as it says, and the same plan made again is empty', async () => {
    const desired = await scene();
    const before = await stored();
    const plan = await make(desired);
    expect(await stored()).toEqual(before);
    expect(plan.changes.map(({ kind, name, action }) => [kind, name, action])).toEqual([
      ['sequence', 'Course', 'create'],
      ['automation', 'kept', 'change'],
      ['automation', 'fresh', 'create'],
      ['automation', 'old', 'delete'],
      ['template', 'Wording', 'new_wording'],
      ['template', 'New', 'create'],
      ['asset', 'Subject', 'create'],
      ['template', 'Gone', 'delete'],
      ['safeguards', null, 'change'],
      ['sending_hours', null, 'change'],
      ['holdout', null, 'change'],
    ]);
    expect(plan.changes.find(({ action }) => action === 'new_wording')).toMatchObject({
      before: { cta_text: 'Look around' },
      after: { cta_text: 'Read on' },
    });
    expect(plan.scopes).toEqual(['content', 'automations', 'sending']);

    const applied = await apply(plan.hash);
    expect(await stored()).toEqual(RESULT);
    const fresh = applied.changes.find(({ name }) => name === 'fresh');
    expect(fresh?.id).toBe((await named('fresh'))?.id);
    const [course] = await sequenceStore.readAll(table, sender.organization);
    expect((await named('second'))?.sequence_id).toBe(course?.id);
    const { delete: __, ...again } = desired;
    expect((await make(again)).changes).toEqual([]);
  });

  it('records each change once, by its means', async () => {
    const { hash } = await make(await scene());
    const before = (await entries()).length;
    await apply(hash);
    await apply(hash);
    const added = (await entries()).filter(({ by }) => by === 'plan');
    expect((await entries()).length - before).toBe(added.length);
    expect(added.map(({ kind, what, name }) => `${kind} ${what} ${name ?? ''}`.trim()).sort()).toEqual([
      'asset created Subject',
      'automation changed kept',
      'automation created fresh',
      'automation deleted old',
      'sending changed',
      'sending changed',
      'sending changed',
      'sequence created Course',
      'template created New',
      'template deleted Gone',
      'template reworded Wording',
    ]);
    const limits = added.filter(({ kind }) => kind === 'sending');
    expect(limits.flatMap(({ changes }) => Object.keys(changes as object)).sort()).toEqual([
      'holdout_percent',
      'max_emails_24_hours',
      'quiet_hours',
    ]);
  });

  it('is whole or not there, wherever its process dies, and applied again it is whole', async () => {
    const desired = await scene();
    const before = await stored();
    const { hash } = await make(desired);
    for (let at = 1, isDone = false; !isDone; at++) {
      for (const how of ['before', 'after'] as const) {
        const point: CrashPoint = { at, how };
        isDone = await survives(apply(hash, crashing(table, point)));
        const now = await stored();
        expect(
          [before, RESULT].some(one => isDeepStrictEqual(one, now)),
          JSON.stringify(now),
        ).toBe(true);
        if (isDone) break;
      }
      expect(at).toBeLessThan(10);
    }
    expect((await apply(hash)).applied_at).not.toBeNull();
    expect(await stored()).toEqual(RESULT);
    const texts = (await allItems(table)).filter(
      ({ PK, SK }) => PK === `ORG#${sender.organization}#CONTENT` && String(SK).startsWith('TEXT#'),
    );
    // Those of the two before, of the new wording, and of what is new.
    expect(texts).toHaveLength(5);
  });

  it('is applied once by two at the same time, who get the same answer', async () => {
    const { hash } = await make(await scene());
    const [one, two] = await Promise.all([apply(hash), apply(hash)]);
    expect(one).toEqual(two);
    expect(await stored()).toEqual(RESULT);
  });
});

describe('A plan is refused', () => {
  const delayed = () => make({ automations: [{ name: 'kept', delay_days: 9 }] });

  it('where what it changes has changed since, which it names; what it leaves alone may change', async () => {
    const desired = await scene();
    const { hash } = await make(desired);
    const kept = await named('kept');
    if (!kept) throw new Error('it is there');
    await automations.change(needs(), kept, { stop_after_days: 5 });
    const before = await stored();
    await expect(apply(hash)).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('automation kept (stop_after_days)'),
    });
    expect(await stored()).toEqual(before);
    const again = await make(desired);
    await sender.newAutomation({ name: 'aside' });
    await safeguards.change(needs(), sender.organization, { max_emails_1_hour: 7 });
    await expect(apply(again.hash)).rejects.toMatchObject({
      message: expect.stringContaining('safeguards (max_emails_1_hour)'),
    });
    const { safeguards: __, ...others } = desired;
    const third = await make(others);
    await safeguards.change(needs(), sender.organization, { max_emails_1_hour: 8 });
    expect((await apply(third.hash)).applied_at).not.toBeNull();
  });

  it('where that changes between its last read and its write', async () => {
    await scene();
    const { hash } = await delayed();
    const kept = await named('kept');
    if (!kept) throw new Error('it is there');
    const on = beforeFirst(table, 'TransactWriteCommand', () =>
      automations.change(needs(), kept, { delay_days: 5 }),
    );
    await expect(apply(hash, on)).rejects.toMatchObject({ message: expect.stringContaining('delay_days') });
    expect((await named('kept'))?.delay_days).toBe(5);
  });

  it('where a list that it names is deleted, or another one has the name by now', async () => {
    const { hash } = await make({ automations: [{ name: 'fresh', email_lists: ['Readers'] }] });
    await sender.newList({ name: 'Readers' });
    await expect(apply(hash)).rejects.toMatchObject({ reason: 'conflict' });
    expect(await named('fresh')).toBeUndefined();
  });

  it('where another list or automation has its name by now, instead of reaching other people', async () => {
    const exchange = async (rename: (nth: 0 | 1, name: string) => Promise<unknown>) => {
      await rename(0, 'between');
      await rename(1, 'one');
      await rename(0, 'two');
    };
    const both = [await sender.newList({ name: 'one' }), await sender.newList({ name: 'two' })] as const;
    const { hash } = await make({ automations: [{ name: 'fresh', email_lists: ['one'] }] });
    await exchange((nth, name) => lists.change(needs(), both[nth], { name }));
    await expect(apply(hash)).rejects.toMatchObject({ reason: 'conflict' });
    expect(await named('fresh')).toBeUndefined();
    const ids = [
      (await sender.newAutomation({ name: 'one', active: false })).id,
      (await sender.newAutomation({ name: 'two' })).id,
    ] as const;
    const linking = await make({ templates: [{ ...TEXT, name: 'New', automations: ['one'] }] });
    await exchange(async (nth, name) => {
      const stored = (await state()).automations.get(ids[nth]);
      if (stored) await automations.change(needs(), stored, { name });
    });
    await expect(apply(linking.hash)).rejects.toMatchObject({ reason: 'conflict' });
  });

  it('where there is no place for its content, also if there was when it was made, and leaves no text', async () => {
    const PK = `ORG#${sender.organization}#CONTENT`;
    const desired = { templates: [{ ...TEXT, name: 'New' }] };
    const { hash } = await make(desired);
    await batchWrite(table, { puts: [{ PK, SK: 'COUNTS', template: MOST_CONTENT }] });
    for (const refused of [() => apply(hash), () => make(desired)])
      await expect(refused()).rejects.toMatchObject({ message: expect.stringContaining('at most 10,000') });
    expect((await allItems(table)).filter(item => item.PK === PK)).toHaveLength(1);
  });

  it('where it does not fit into one transaction, when it is made', async () => {
    const many = Array.from({ length: 40 }, (_, nth) => ({ name: `many_${nth}`, active: false }));
    await expect(make({ automations: many })).rejects.toMatchObject({
      reason: 'invalid',
      message: expect.stringContaining('at most 100'),
    });
    expect(await named('many_0')).toBeUndefined();
  });
});

it('the same plan of the same state has the same hash, and another one once it was applied and taken back', async () => {
  await scene();
  const limits = { safeguards: { max_emails_1_hour: 8 } };
  const first = await make(limits);
  expect((await make(limits)).hash).toBe(first.hash);
  await apply(first.hash);
  await safeguards.change(needs(), sender.organization, { max_emails_1_hour: 2 });
  const second = await make(limits);
  expect(second.hash).not.toBe(first.hash);
  await apply(second.hash);
  expect((await safeguards.read(table, sender.organization)).max_emails_1_hour).toBe(8);
  expect((await apply(first.hash)).applied_at).not.toBeNull();
});

it('a step that is switched on needs the scope of that, also if it takes the name of another one', async () => {
  await makeAndApply({
    sequences: [
      { name: 'Course', active: true, steps: [{ name: 'a' }, { name: 'b', delay_days: 2, active: false }] },
    ],
  });
  const [a, b] = [(await named('a'))?.id, (await named('b'))?.id];
  const scopesOf = async (steps: object[]) => (await make({ sequences: [{ name: 'Course', steps }] })).scopes;
  const exchanged = [
    { automation_id: a, name: 'b', active: false },
    { automation_id: b, name: 'a', delay_days: 2, active: true },
  ];
  expect(await scopesOf(exchanged)).toEqual(['automations', 'sending']);
  const renamed = [{ automation_id: a, name: 'c' }, { automation_id: b }];
  expect(await scopesOf(renamed)).toEqual(['automations']);
});

it('where nobody could be read in time, everybody may be reached', async () => {
  for (const nth of [1, 2])
    await sender.add(readers, `reader${nth}@example.com`, { ends: '2030-01-02T20:00:00Z' });
  const desired = {
    automations: [{ name: 'fresh', email_lists: ['Readers'], metadata_trigger: 'ends' }],
    templates: [{ ...TEXT, name: 'New', automations: ['fresh'] }],
  };
  const late = { ...needs(), hasTimeLeft: () => false };
  const { hash, effect } = await plans.make(late, DesiredState.parse(desired));
  expect(effect).toMatchObject({ newly_reached: { count: 0 }, sampled: { people: 0, of: 2 } });
  expect(effect.counted_share).toBeGreaterThan(0);
  await expect(plans.apply(needs(), hash, { max_people: 1 })).rejects.toMatchObject({ reason: 'invalid' });
  expect(await named('fresh')).toBeUndefined();
});

it('of too many people it reads a sample: the limit of people counts its margin', async () => {
  for (let nth = 0; nth < 12; nth++) {
    const ends = `2030-01-02T${String(nth).padStart(2, '0')}:00:00Z`;
    await sender.add(readers, `reader${nth}@example.com`, nth % 2 ? { ends } : { ends, other: ends });
  }
  const once = { email_lists: ['Readers'], repeat: 'once' };
  const desired = {
    automations: [
      { name: 'fresh', ...once, metadata_trigger: 'other' },
      { name: 'all', ...once, metadata_trigger: 'ends' },
    ],
    templates: [{ ...TEXT, name: 'New', automations: ['fresh'] }],
  };
  const sampling = { ...needs(), mostPeople: 4 };
  const plan = await plans.make(sampling, DesiredState.parse(desired));
  const { newly_reached: newly, sampled } = plan.effect;
  expect(sampled).toMatchObject({ people: 4, of: 12 });
  expect([newly.count, newly.count % 3]).toEqual([expect.any(Number), 0]);
  // Where none of four has it, three times a fourth of all may.
  if (newly.count === 0) expect(newly.margin).toBe(9);
  else expect(newly.margin > 0).toBe(newly.count < 12);
  const limit = (max_people: number) => plans.apply(needs(), plan.hash, { max_people });
  await expect(limit(newly.count + newly.margin - 1)).rejects.toMatchObject({ reason: 'invalid' });
  expect((await limit(newly.count + newly.margin)).applied_at).not.toBeNull();
});

it('emails stand under the UTC day on which they are due', async () => {
  for (const [name, ends] of Object.entries({ late: '2030-01-01T23:00:00Z', early: '2030-01-02T01:00:00Z' }))
    await sender.add(readers, `${name}@example.com`, { ends });
  const { effect } = await make({
    automations: [{ name: 'fresh', email_lists: ['Readers'], metadata_trigger: 'ends', repeat: 'once' }],
    templates: [{ ...TEXT, name: 'New', automations: ['fresh'] }],
  });
  expect(effect.days.map(({ more }) => more).slice(0, 3)).toEqual([1, 1, 0]);
});

it('nobody is reached whose first email is after the days that a plan shows', async () => {
  await sender.add(readers, 'late@example.com', { ends: '2030-01-31T05:00:00Z' });
  const { effect } = await make({
    automations: [{ name: 'fresh', email_lists: ['Readers'], metadata_trigger: 'ends', repeat: 'once' }],
    templates: [{ ...TEXT, name: 'New', automations: ['fresh'] }],
  });
  expect(effect.newly_reached.count).toBe(0);
  expect(effect.days.filter(({ more }) => more > 0)).toEqual([]);
});

it('a holdout of a sequence is changed by a plan that changes nothing else', async () => {
  const course = (holdout_percent: number) => ({
    sequences: [{ name: 'Course', steps: [{ name: 'a' }], holdout_percent }],
  });
  await makeAndApply(course(10));
  const { changes } = await make({ sequences: [{ name: 'Course', holdout_percent: 20 }] });
  expect(changes).toMatchObject([{ before: { holdout_percent: 10 }, after: { holdout_percent: 20 } }]);
});

it('a step is on or off by itself, whether or not its sequence is on', async () => {
  const sequence = (active: boolean) => ({
    sequences: [
      { name: 'Course', active: false, steps: [{ name: 'a' }, { name: 'b', delay_days: 2, active }] },
    ],
  });
  const created = await make(sequence(false));
  expect(created.changes[0]?.after?.steps).toMatchObject([{ active: true }, { active: false }]);
  await apply(created.hash);
  expect((await make(sequence(false))).changes).toEqual([]);
  expect((await make(sequence(true))).changes).toMatchObject([{ action: 'change', name: 'Course' }]);
});

it('content that a plan switches off is sent no longer, and again once a plan switches it on', async () => {
  const kept = await sender.newAutomation({ name: 'kept', email_list_ids: [readers.id] });
  const { id } = await sender.newTemplate([kept.id], { name: 'Wording' });
  const sent = async () => [...((await state()).linked.get(kept.id)?.template ?? [])];
  const switched = (is_active: boolean) => makeAndApply({ templates: [{ name: 'Wording', is_active }] });
  expect(await sent()).toEqual([id]);
  await switched(false);
  expect(await sent()).toEqual([]);
  await switched(true);
  expect(await sent()).toEqual([id]);
});

it('a wording of before is written anew as the newest version', async () => {
  await sender.newTemplate([], { name: 'Wording', cta_text: 'Read on' });
  for (const cta_text of ['Look around', 'Read on'])
    await makeAndApply({ templates: [{ name: 'Wording', cta_text }] });
  expect((await stored()).templates).toEqual([
    ['Wording', 1, false, []],
    ['Wording', 2, false, []],
    ['Wording', 3, true, []],
  ]);
});

it('new content and a new wording have images of their own organization alone', async () => {
  await sender.newTemplate([], { name: 'Wording' });
  const pre_cta_content = '![Logo](/files/999999/0123456789ab.png)';
  for (const name of ['Wording', 'New'])
    await expect(make({ templates: [{ ...TEXT, name, pre_cta_content }] })).rejects.toMatchObject({
      errors: { 'templates.0.pre_cta_content': [expect.stringContaining('not one of this organization')] },
    });
});

it.each(['automations', 'sequences', 'templates', 'assets'] as const)(
  'a plan that does nothing else deletes %s by name',
  async kind => {
    const entry = {
      automations: { name: 'Gone' },
      sequences: { name: 'Gone', steps: [] },
      templates: { ...TEXT, name: 'Gone' },
      assets: { type: 'subject_line', value: 'Hi', name: 'Gone' },
    }[kind];
    await makeAndApply({ [kind]: [entry] });
    const { hash, changes } = await make({ delete: { [kind]: ['Gone'] } });
    expect(changes).toMatchObject([{ action: 'delete', name: 'Gone' }]);
    await apply(hash);
    await expect(make({ delete: { [kind]: ['Gone'] } })).rejects.toMatchObject({ reason: 'invalid' });
    const deleted = (await entries()).filter(({ what }) => what === 'deleted');
    expect(deleted).toMatchObject([{ kind: kind.slice(0, -1), name: 'Gone', by: 'plan' }]);
  },
);

it('a step is deleted with its sequence alone', async () => {
  const steps = [{ name: 'first' }, { name: 'second', delay_days: 2 }];
  await makeAndApply({ sequences: [{ name: 'Course', steps }] });
  await expect(make({ delete: { automations: ['first'] } })).rejects.toMatchObject({
    errors: { 'delete.automations.0': [expect.any(String)] },
  });
});

it('of a sample, emails more and fewer are those of all', async () => {
  for (let nth = 0; nth < 12; nth++)
    await sender.add(readers, `reader${nth}@example.com`, { ends: '2030-01-02T20:00:00Z' });
  const schedule = { email_list_ids: [readers.id], metadata_trigger: 'ends', repeat: 'once' };
  const on = await sender.newAutomation({ name: 'on', ...schedule });
  const off = await sender.newAutomation({ name: 'off', ...schedule, delay_days: 9, active: false });
  await sender.newTemplate([on.id, off.id]);
  const effectOf = async (name: string, active: boolean) => {
    const desired = DesiredState.parse({ automations: [{ name, active }] });
    const { effect } = await plans.make({ ...needs(), mostPeople: 4 }, desired);
    return effect.days.filter(({ more, fewer }) => more + fewer > 0);
  };
  expect(await effectOf('on', false)).toEqual([{ date: '2030-01-02', more: 0, fewer: 12 }]);
  expect(await effectOf('off', true)).toEqual([{ date: '2030-01-11', more: 12, fewer: 0 }]);
});

it('a holdout reaches those people no longer who are held out then', async () => {
  const emails = Array.from({ length: 20 }, (_, nth) => `reader${nth}@example.com`);
  for (const email of emails) await sender.add(readers, email, { ends: '2030-01-02T20:00:00Z' });
  const { hash } = await make({
    automations: [{ name: 'fresh', email_lists: ['Readers'], metadata_trigger: 'ends' }],
    templates: [{ ...TEXT, name: 'New', automations: ['fresh'] }],
  });
  await apply(hash);
  const held = emails.filter(email => isHeldOut(hashOf(email), idOf({ id: sender.organization }), 40));
  const { effect } = await make({ holdout: { percent: 40 } });
  expect(effect.no_longer_reached.count).toBe(held.length);
});

it('a plan is kept for 24 hours', async () => {
  await scene();
  const { hash } = await make({ automations: [{ name: 'kept', delay_days: 9 }] });
  const find = () => plans.find({ table, now: sender.now }, sender.organization, hash);
  sender.at(new Date(start.getTime() + 24 * 3_600_000 - 1));
  expect((await find()).hash).toBe(hash);
  sender.at(new Date(start.getTime() + 24 * 3_600_000));
  await expect(find()).rejects.toMatchObject({ reason: 'not-found' });
  await expect(apply(hash)).rejects.toMatchObject({ reason: 'not-found' });
});
