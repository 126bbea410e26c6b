import { describe, expect, it } from 'vitest';
import { type DueItem, MOST_PACK_BYTES, packsOf } from '#core/sending/pack.ts';
import { automationId, duesOf, listId, personHash } from '#test/support/sweeping.ts';

const of = { organization: 7, minute: '2030-01-01T09:30' };
const trigger = '2029-12-24T09:30';

const found = ({ people = 1, automations = 1, lists = 1, column = '' }): DueItem[] =>
  Array.from({ length: people }, (_, person) =>
    Array.from({ length: automations }, (_, nth) =>
      Array.from({ length: lists }, (_, list) => ({
        hash: personHash(person),
        list: listId(7, list),
        automation: automationId(7, nth),
        column,
        trigger,
      })),
    ),
  ).flat(2);
const bytes = (pack: object) => Buffer.byteLength(JSON.stringify(pack));
const dues = (some: DueItem[]) =>
  some.map(({ hash, list, automation }) => `${of.minute} ${hash} ${list} ${automation}`).sort();

describe('what is due in one minute', () => {
  it.each([
    ['one person', { people: 1 }],
    ['a thousand people of one list', { people: 1_000 }],
    ['ten thousand people of one list', { people: 10_000 }],
    [
      'people who are due for a hundred automations',
      { people: 500, automations: 100, column: 'x'.repeat(64) },
    ],
    ['150 automations of 50 lists with one member in all of them', { automations: 150, lists: 50 }],
    ['the same with long names of columns', { automations: 150, lists: 50, column: 'x'.repeat(64) }],
  ])('is in packs that the queue takes, once: %s', (_, wanted) => {
    const all = found(wanted);
    const packs = packsOf(of, all);
    expect(Math.max(...packs.map(bytes))).toBeLessThanOrEqual(MOST_PACK_BYTES);
    expect(Math.max(...packs.map(({ people }) => people.length))).toBeLessThanOrEqual(1_000);
    expect(packs.flatMap(duesOf).sort()).toEqual(dues(all));
    expect(new Set(packs.map(({ id }) => id)).size).toBe(packs.length);
  });

  it('fills its packs', () => {
    expect(packsOf(of, found({ people: 2_500 })).map(({ people }) => people.length)).toEqual([
      1_000, 1_000, 500,
    ]);
    const [first, ...others] = packsOf(of, found({ people: 500, automations: 100 }));
    expect(bytes(first ?? {})).toBeGreaterThan(MOST_PACK_BYTES * 0.9);
    expect(others.length).toBeLessThan(8);
  });

  it('is in one pack for each person, where it fits', () => {
    const packs = packsOf(of, found({ people: 2_000, automations: 7, lists: 2 }));
    const hashes = packs.flatMap(({ people }) => people.map(([hash]) => hash));
    expect(packs.length).toBeGreaterThan(2);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('keeps the lists of an automation together, also where a person has more than a pack holds', () => {
    const packs = packsOf(of, found({ automations: 150, lists: 50 }));
    const places = packs.flatMap(({ sources }) => [...new Set(sources.map(({ automation }) => automation))]);
    expect(packs.length).toBeGreaterThan(1);
    expect(places.sort()).toEqual(Array.from({ length: 150 }, (_, nth) => automationId(7, nth)));
    expect(packs.every(({ people }) => people.length === 1)).toBe(true);
  });
});

describe('the id of a pack', () => {
  const idOf = (some: DueItem[], others: Partial<typeof of> = {}) =>
    packsOf({ ...of, ...others }, some)[0]?.id;
  const all = found({ people: 3, automations: 2 });

  it('is that of its content, in whichever order it was found', () => {
    expect(idOf(all)).toMatch(/^[a-z0-9]{12}$/);
    expect(idOf([...all].reverse())).toBe(idOf(all));
  });

  it('differs with the organization, the minute, the people, the sources and their dates', () => {
    const [first, ...others] = all as [DueItem, ...DueItem[]];
    const ids = [
      idOf(all),
      idOf(all, { organization: 8 }),
      idOf(all, { minute: '2030-01-01T09:31' }),
      idOf(others),
      ...[
        { hash: personHash(9) },
        { list: listId(7, 9) },
        { column: 'x' },
        { trigger: '2029-12-25T09:30' },
      ].map(field => idOf([{ ...first, ...field }, ...others])),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
