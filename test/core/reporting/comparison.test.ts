import { describe, expect, it } from 'vitest';
import {
  deletionWrites,
  forgetKept,
  read as readAutomation,
  type StoredAutomation,
} from '#core/automation/automation.store.ts';
import type * as organization from '#core/organization/organization.ts';
import { comparisons } from '#core/reporting/comparisons.ts';
import { report } from '#core/reporting/report.ts';
import { automationHash, rollupCounter } from '#core/sending/rollup.ts';
import { batchWrite, queryPartition, type Table, textOf } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import { Comparisons } from '#shared/comparisons.ts';
import { dayAfter } from '#shared/report/range.ts';
import { CombinationsQuery } from '#shared/reporting.ts';
import { sizeOfItem } from '#test/simulation/table/values.ts';
import { crashing } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';
import { proof } from '#test/support/proof.ts';

const table = freshTable();
const now = new Date('2030-05-20T12:00:00Z');
const DAY = '2030-05-20';

let organizations = 100;
const newOrganization = () => {
  const id = ++organizations;
  const active = { organization: { id }, membership: { role: 'USER' } } as organization.Active;
  return { id, active };
};

const CONTENT = (organization: number) => `ORG#${organization}#CONTENT`;

const addAutomations = (organization: number, automations: Record<string, string>) =>
  batchWrite(table, {
    puts: Object.entries(automations).flatMap(([id, name]) => [
      {
        PK: `ORG#${organization}`,
        SK: `AUTO#${id}`,
        id,
        name,
        organization_id: organization,
        email_list_ids: [],
        revision: '1',
      },
      { PK: CONTENT(organization), SK: `LINKED#${id}` },
    ]),
  });

type Sent = {
  automation: string;
  combination: string;
  sent: number;
  clicked: number;
  day?: string;
  weighted?: boolean;
};
async function addSent(organization: number, all: Sent[]): Promise<void> {
  const counters = all.map(({ day = DAY, automation, combination, weighted, sent, clicked }) =>
    rollupCounter(organization, day, { automation, combination, weighted }, { sent, clicked }),
  );
  const puts = [...Map.groupBy(counters, ({ key }) => textOf(key)).values()].map(some =>
    Object.assign({}, ...some.map(({ key, add }) => ({ ...key, ...add }))),
  );
  await batchWrite(table, { puts });
}

type Texts = Record<string, { name?: string; value: string }>;
const addCombinations = (
  organization: number,
  combinations: Record<string, Record<string, string>>,
  texts: Texts = {},
) =>
  batchWrite(table, {
    puts: [
      ...Object.entries(combinations).map(([id, assets]) => ({
        PK: `ORG#${organization}#CONTENT`,
        SK: `COMBO#${id}`,
        id,
        assets,
      })),
      ...Object.entries(texts).map(([id, text]) => ({
        PK: `ORG#${organization}#CONTENT`,
        SK: `TEXT#${id}`,
        id,
        ...text,
      })),
    ],
  });

const [WELCOME, WINTER] = ['welcome00000', 'winter000000'] as const;
const [SHORT, LONG] = ['c00000000001', 'c00000000002'] as const;
const compared = async (
  active: organization.Active,
  on: Table = table,
  { hasTimeLeft = (): boolean => true, at = now } = {},
) => Comparisons.parse(await comparisons({ table: on, now: at, hasTimeLeft }, active));

/** A short subject that clicks better than a long one, and emails of another automation with the same combinations. */
async function newCompared() {
  const { id, active } = newOrganization();
  await addAutomations(id, { [WELCOME]: 'welcome', [WINTER]: 'winter' });
  await addCombinations(
    id,
    { [SHORT]: { subject_line: 's00000000001' }, [LONG]: { subject_line: 's00000000002' } },
    { s00000000001: { name: 'Short', value: 'Hi' }, s00000000002: { value: 'Hello, how are you?' } },
  );
  await addSent(id, [
    { automation: WELCOME, combination: SHORT, sent: 2_000, clicked: 200 },
    { automation: WELCOME, combination: LONG, sent: 2_000, clicked: 60 },
    // Most of what is clicked seldom is of the short one: their sums together would say the opposite.
    { automation: WINTER, combination: SHORT, sent: 9_000, clicked: 45 },
    { automation: WINTER, combination: LONG, sent: 10, clicked: 0 },
  ]);
  return { id, active };
}

describe('the combinations of an automation', () => {
  it('are compared with each other alone, by name, with their parts', async () => {
    const { active } = await newCompared();
    // 3.3 times as often, and the same the other way round.
    const better = { conversions: 0, ratio_from: 2.206, ratio_to: 5.235, detectable_ratio: null };
    const worse = { conversions: 0, ratio_from: 0.191, ratio_to: 0.4534, detectable_ratio: null };
    const [welcome, winter, ...others] = (await compared(active)).automations;
    expect(others).toEqual([]);
    expect(winter?.has_uneven_shares).toBe(true);
    expect(welcome).toEqual({
      automation_id: WELCOME,
      automation: 'welcome',
      has_uneven_shares: false,
      combinations: {
        result: 'difference',
        rows: [
          { id: SHORT, name: 'Short', sent: 2_000, clicked: 200, verdict: 'better', ...better },
          { id: LONG, name: 'Hello, how are you?', sent: 2_000, clicked: 60, verdict: 'worse', ...worse },
        ],
        left_out: 0,
      },
      parts: [
        {
          part: 'subject_line',
          result: 'difference',
          left_out: 0,
          rows: [
            { id: 's00000000001', name: 'Short', sent: 2_000, clicked: 200, verdict: 'better', ...better },
            {
              id: 's00000000002',
              name: 'Hello, how are you?',
              sent: 2_000,
              clicked: 60,
              verdict: 'worse',
              ...worse,
            },
          ],
        },
      ],
    });
    expect(winter?.automation).toBe('winter');
    expect(winter?.combinations.result).toBe('not_enough_data');
    expect(winter?.combinations.rows.map(({ verdict }) => verdict)).toEqual(Array(2).fill('not_enough_data'));
  });

  it('are not compared where the automation is deleted, or of another organization', async () => {
    const { id, active } = newOrganization();
    await addSent(
      id,
      [SHORT, LONG].map(combination => ({ automation: WELCOME, combination, sent: 5, clicked: 1 })),
    );
    expect((await compared(active)).automations).toEqual([]);
    expect((await compared(newOrganization().active)).automations).toEqual([]);
  });

  it('are not compared where another automation has the same hash, which is said', async () => {
    const { id, active } = newOrganization();
    const [one, other] = withSameHash();
    await addAutomations(id, { [one]: 'North', [other]: 'South', [WELCOME]: 'welcome' });
    const all = [one, other, WELCOME].flatMap(automation =>
      [SHORT, LONG].map(combination => ({ automation, combination, sent: 5, clicked: 1 })),
    );
    await addSent(id, all);
    const { automations, not_compared } = await compared(active);
    expect(automations.map(({ automation }) => automation)).toEqual(['welcome']);
    expect(not_compared.map(({ automation }) => automation).sort()).toEqual(['North', 'South']);
  });
});

function withSameHash(): [string, string] {
  const known = new Map<string, string>();
  for (let nth = 0; ; nth++) {
    const id = String(nth).padStart(12, '0');
    const other = known.get(automationHash(id));
    if (other) return [other, id];
    known.set(automationHash(id), id);
  }
}

const keptIn = async (organization: number) =>
  (await queryPartition(table, CONTENT(organization), 'COMPARED#')).map(({ SK, until }) => [SK, until]);

/** Two years of a pair of which one is better, 100 emails a day each, and of another automation in the first year alone. */
async function newHistory() {
  const { id, active } = newOrganization();
  await addAutomations(id, { [WELCOME]: 'welcome', [WINTER]: 'winter' });
  const assets = (nth: number) => ({ subject_line: `s0000000000${nth}` });
  await addCombinations(id, { [SHORT]: assets(1), [LONG]: assets(2) });
  const days = Array.from({ length: 730 }, (_, nth) => dayAfter(DAY, nth - 729));
  const pair = (automation: string, day: string) => [
    { automation, combination: SHORT, sent: 100, clicked: 4, day },
    { automation, combination: LONG, sent: 100, clicked: 3, day },
  ];
  await addSent(
    id,
    days.flatMap((day, nth) => [...pair(WELCOME, day), ...(nth < 365 ? pair(WINTER, day) : [])]),
  );
  return { id, active, first: days[0] };
}

/** The pages of rollups that are read through a table, and the transactions. */
function counted() {
  const used = { rollups: 0, writes: 0 };
  const on = intercepted(table, (send, command) => {
    if (command.constructor.name === 'TransactWriteCommand') used.writes++;
    if (JSON.stringify(command.input).includes('#REPORT"')) used.rollups++;
    return send();
  });
  return { used, on };
}

describe('the emails of ended months', () => {
  it('are compared with those of the last two, and read once: a later look reads 62 days at most', async () => {
    const { id, active, first } = await newHistory();
    const once = await compared(active);
    expect(once.since).toBe(first);
    const [welcome, winter] = once.automations.map(({ combinations }) => combinations);
    expect(welcome).toMatchObject({
      result: 'difference',
      rows: [
        { id: SHORT, sent: 73_000, clicked: 2_920, verdict: 'better' },
        { id: LONG, sent: 73_000, clicked: 2_190, verdict: 'worse' },
      ],
    });
    expect(winter?.rows.map(({ sent }) => sent)).toEqual([36_500, 36_500]);
    expect(await keptIn(id)).toEqual([
      ['COMPARED#', '2030-04-01'],
      [`COMPARED#${WELCOME}`, '2030-04-01'],
      [`COMPARED#${WINTER}`, expect.stringMatching(/^2029-/)],
    ]);
    const { used, on } = counted();
    expect(await compared(active, on)).toEqual(once);
    // As parts of 12 days. A quarter was 92 days, in eight requests, and the sums are one request.
    expect(used).toMatchObject({ rollups: 5, writes: 0 });
    const longest = counted();
    await compared(active, longest.on, { at: new Date('2030-08-31T12:00:00Z') });
    const again = counted();
    await compared(active, again.on, { at: new Date('2030-08-31T12:00:00Z') });
    expect(again.used).toMatchObject({ rollups: 6, writes: 0 });
  });

  it('say the same when they are kept month by month, by two looks at once, or by calls that die at each write', async () => {
    const { id, active } = await newHistory();
    const expected = await compared(active);
    const forget = () => forgetKept(table, id);
    await forget();
    for (const at of ['2029-01-20', '2029-06-20', '2030-01-01', '2030-02-28'])
      await compared(active, table, { at: new Date(`${at}T12:00:00Z`) });
    expect(await compared(active)).toEqual(expected);
    await forget();
    expect(await Promise.all([compared(active), compared(active)])).toEqual([expected, expected]);
    expect(await compared(active)).toEqual(expected);
    for (const how of ['before', 'after'] as const) {
      for (const at of [1, 2, 5, 12, 17, 20]) {
        await forget();
        await compared(active, crashing(table, { at, how })).catch(() => {});
        expect(await compared(active)).toEqual(expected);
      }
    }
  });

  it('are kept as far as a call has time, and the next one goes on from there', async () => {
    const { id, active } = await newHistory();
    let left = 14;
    await expect(compared(active, table, { hasTimeLeft: () => left-- > 0 })).rejects.toMatchObject({
      reason: 'invalid',
    });
    const [[, until] = []] = await keptIn(id);
    expect(until).toMatch(/^2028-/);
    const { used, on } = counted();
    await compared(active, on);
    const all = counted();
    await forgetKept(table, id);
    await compared(active, all.on);
    expect(used.rollups).toBeLessThan(all.used.rollups);
  });

  it('are forgotten with their automation, also by a look that was under way', async () => {
    const { id, active } = await newHistory();
    const automation = (await readAutomation(table, id, WINTER)) as StoredAutomation;
    const deletion = () => commit(table, deletionWrites(table, automation));
    await compared(active, beforeFirst(table, 'TransactWriteCommand', deletion));
    expect((await keptIn(id)).map(([SK]) => SK)).toEqual(['COMPARED#', `COMPARED#${WELCOME}`]);
    await commit(
      table,
      deletionWrites(table, (await readAutomation(table, id, WELCOME)) as StoredAutomation),
    );
    expect((await keptIn(id)).map(([SK]) => SK)).toEqual(['COMPARED#']);
  });

  proof('of more than 1,500 combinations and variants, those with the fewest emails begin anew', async () => {
    const { id, active } = newOrganization();
    await addAutomations(id, { [WELCOME]: 'welcome' });
    const many = Array.from({ length: 2_500 }, (_, nth) => `d${String(nth).padStart(11, '0')}`);
    await addSent(
      id,
      many.map((combination, nth) => ({
        automation: WELCOME,
        combination,
        sent: 9_000_000 + nth,
        clicked: 1_234_567 + nth,
        day: '2030-01-05',
      })),
    );
    expect((await compared(active)).automations[0]?.combinations.rows.length).toBe(2_500 - 1_000);
    const [item] = await queryPartition(table, CONTENT(id), `COMPARED#${WELCOME}`);
    expect(sizeOfItem(item as never)).toBeLessThan(400_000);
    const { combinations = {} } = (item?.sums ?? {}) as Record<string, object>;
    expect(Object.keys(combinations)).not.toContain(many[999]);
    expect(Object.keys(combinations)).toContain(many[1_000]);
  });
});

describe('a day on which the content of an automation was changed', () => {
  const EVENING = '2030-05-12';
  const changed = [
    { automation: WELCOME, combination: SHORT, sent: 9_000, clicked: 900, day: EVENING },
    { automation: WELCOME, combination: LONG, sent: 9_000, clicked: 90, day: EVENING },
  ];

  it.each([
    ['is compared where nothing was changed', undefined, 'difference'],
    ['is left out for all, though its emails are counted', EVENING, 'not_enough_data'],
  ])('%s', async (_, day, result) => {
    const { id, active } = newOrganization();
    await addAutomations(id, { [WELCOME]: 'welcome' });
    const linked = { PK: CONTENT(id), SK: `LINKED#${WELCOME}` };
    await batchWrite(table, { puts: [{ ...linked, ...(day && { changed_on: new Set([day]) }) }] });
    await addSent(id, changed);
    for (const at of [now, new Date('2030-09-01T12:00:00Z')]) {
      const [welcome] = (await compared(active, table, { at })).automations;
      expect(welcome?.combinations.result).toBe(result);
      expect(welcome?.combinations.rows.map(({ sent }) => sent)).toEqual([9_000, 9_000]);
    }
  });
});

describe('the answer', () => {
  it('has as many combinations as fit, those with the most emails first, and says how many are left out', async () => {
    const { id, active } = newOrganization();
    await addAutomations(id, { [WELCOME]: 'welcome', [WINTER]: 'winter' });
    await addSent(id, [
      { automation: WELCOME, combination: SHORT, sent: 30, clicked: 0 },
      { automation: WELCOME, combination: LONG, sent: 10, clicked: 0 },
      { automation: WINTER, combination: SHORT, sent: 20, clicked: 0 },
      { automation: WINTER, combination: LONG, sent: 5, clicked: 0 },
    ]);
    const { automations } = await comparisons({ table, now, hasTimeLeft: () => true }, active, {
      mostRows: 3,
    });
    expect(
      automations.map(({ combinations }) => [
        combinations.rows.map(({ sent }) => sent),
        combinations.left_out,
      ]),
    ).toEqual([
      [[30, 10], 0],
      [[20], 1],
    ]);
    const days = CombinationsQuery.parse({ start_date: DAY, end_date: DAY });
    const shown = await report({ table, now, hasTimeLeft: () => true }, active, days, 1);
    expect([shown.combinations.map(({ sent }) => sent), shown.left_out]).toEqual([[50], 1]);
  });

  proof('leaves out those with the fewest emails of more than 5,000, and cuts long names', async () => {
    const { id, active } = newOrganization();
    await addAutomations(id, { [WELCOME]: 'welcome' });
    await addCombinations(
      id,
      { [SHORT]: { subject_line: 's00000000001' } },
      { s00000000001: { name: '😀'.repeat(80), value: '' } },
    );
    const many = Array.from({ length: 5_002 }, (_, nth) => `d${String(nth).padStart(11, '0')}`);
    await addSent(id, [
      { automation: WELCOME, combination: SHORT, sent: 20_000, clicked: 5 },
      ...many.map((combination, nth) => ({ automation: WELCOME, combination, sent: nth + 1, clicked: 0 })),
    ]);
    const [{ combinations } = { combinations: { rows: [], left_out: 0 } }] = (await compared(active))
      .automations;
    expect([combinations.rows.length, combinations.left_out]).toEqual([5_000, 3]);
    expect(combinations.rows.at(-1)).toMatchObject({ id: many[3], sent: 4 });
    expect(combinations.rows[0]?.name).toBe(`${'😀'.repeat(50)}…`);
    const days = CombinationsQuery.parse({ start_date: DAY, end_date: DAY });
    const { combinations: shown, left_out } = await report(
      { table, now, hasTimeLeft: () => true },
      active,
      days,
    );
    expect([shown.length, left_out]).toEqual([5_000, 3]);
  });

  it('is refused where it takes too long', async () => {
    const { active } = await newCompared();
    await expect(compared(active, table, { hasTimeLeft: () => false })).rejects.toMatchObject({
      reason: 'invalid',
    });
  });

  it('is the same where the body of the response cannot be read before the SDK reads it', async () => {
    const { active } = await newCompared();
    // A client that has no network, such as one of a simulation.
    const other = intercepted(table, (send, command) => {
      const { middlewareStack } = command as { middlewareStack?: { remove: (name: string) => boolean } };
      middlewareStack?.remove('itemsOfBody');
      return send();
    });
    expect(await compared(active, other)).toEqual(await compared(active));
  });
});

it('where more is sent of what works, the emails at equal shares are compared, and all are counted', async () => {
  const { id, active } = newOrganization();
  await addAutomations(id, { [WELCOME]: 'welcome' });
  await addCombinations(id, {
    [SHORT]: { subject_line: 's00000000001' },
    [LONG]: { subject_line: 's00000000002' },
  });
  const sent = (combination: string, sent: number, clicked: number, weighted = false) => ({
    automation: WELCOME,
    combination,
    sent,
    clicked,
    weighted,
  });
  // By shares the short one goes with better parts, so it is clicked more often whatever it is.
  await addSent(id, [
    sent(SHORT, 500, 25),
    sent(LONG, 500, 25),
    sent(SHORT, 8_000, 800, true),
    sent(LONG, 1_000, 20, true),
  ]);
  const [one] = (await compared(active)).automations;
  expect(one?.combinations.result).not.toBe('difference');
  expect(one?.has_uneven_shares).toBe(false);
  expect(one?.combinations.rows.map(({ id, sent, clicked }) => [id, sent, clicked])).toEqual([
    [SHORT, 8_500, 825],
    [LONG, 1_500, 45],
  ]);
  expect((await compared(active)).since).toBe(DAY);
});
