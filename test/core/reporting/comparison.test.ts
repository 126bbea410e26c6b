import { describe, expect, it } from 'vitest';
import type * as organization from '#core/organization/organization.ts';
import { comparisons } from '#core/reporting/comparisons.ts';
import { automationHash, rollupCounter } from '#core/sending/rollup.ts';
import { batchWrite, type Table, textOf } from '#core/storage/table.store.ts';
import { Comparisons } from '#shared/comparisons.ts';
import { quarterOf } from '#shared/report/range.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';

const table = freshTable();
const now = new Date('2030-05-20T12:00:00Z');
const DAY = '2030-05-20';

let organizations = 100;
const newOrganization = () => {
  const id = ++organizations;
  const active = { organization: { id }, membership: { role: 'USER' } } as organization.Active;
  return { id, active };
};

const addAutomations = (organization: number, automations: Record<string, string>) =>
  batchWrite(table, {
    puts: Object.entries(automations).map(([id, name]) => ({
      PK: `ORG#${organization}`,
      SK: `AUTO#${id}`,
      id,
      name,
      organization_id: organization,
    })),
  });

type Sent = { automation: string; combination: string; sent: number; clicked: number; day?: string };
async function addSent(organization: number, all: Sent[]): Promise<void> {
  const counters = all.map(({ day = DAY, automation, combination, sent, clicked }) =>
    rollupCounter(organization, day, { automation, combination }, { sent, clicked }),
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
const compared = async (active: organization.Active, on: Table = table, hasTimeLeft = () => true) =>
  Comparisons.parse(await comparisons({ table: on, now, hasTimeLeft }, active));

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
    const better = { ratio_from: 2.206, ratio_to: 5.235, detectable_ratio: null };
    const worse = { ratio_from: 0.191, ratio_to: 0.4534, detectable_ratio: null };
    const [welcome, winter, ...others] = (await compared(active)).automations;
    expect(others).toEqual([]);
    expect(welcome).toEqual({
      automation_id: WELCOME,
      automation: 'welcome',
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

  it('count from the first day of the quarter on', async () => {
    const { id, active } = newOrganization();
    await addAutomations(id, { [WELCOME]: 'welcome', [WINTER]: 'winter' });
    await addSent(id, [
      { automation: WELCOME, combination: SHORT, sent: 5, clicked: 1, day: '2030-04-01' },
      { automation: WELCOME, combination: LONG, sent: 6, clicked: 2 },
      { automation: WELCOME, combination: LONG, sent: 60, clicked: 20, day: '2030-03-31' },
      { automation: WINTER, combination: SHORT, sent: 5, clicked: 1 },
      { automation: WINTER, combination: LONG, sent: 5, clicked: 1, day: '2030-03-31' },
    ]);
    const { since, automations, counted_until } = await compared(active);
    expect([since, counted_until]).toEqual(['2030-04-01', null]);
    expect(automations.map(({ automation }) => automation)).toEqual(['welcome']);
    expect(automations[0]?.combinations.rows).toMatchObject([
      { id: LONG, sent: 6, clicked: 2 },
      { id: SHORT, sent: 5, clicked: 1 },
    ]);
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

describe('the answer', () => {
  it('leaves out those with the fewest emails of more than 5,000, and cuts long names', async () => {
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
  });

  it('is refused where it takes too long', async () => {
    const { active } = await newCompared();
    await expect(compared(active, table, () => false)).rejects.toMatchObject({ reason: 'invalid' });
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

it.each([
  ['2030-01-01', '2030-01-01'],
  ['2030-03-31', '2030-01-01'],
  ['2030-04-01', '2030-04-01'],
  ['2030-12-31', '2030-10-01'],
])('%s is in the quarter of %s', (day, first) => expect(quarterOf(day)).toBe(first));
