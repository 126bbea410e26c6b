import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Linked, Shares } from '#core/automation/automation.store.ts';
import { choice, drawn } from '#core/content/combination.ts';
import { PARTS, type Part, REQUIRED_PARTS } from '#shared/email/content.ts';
import { MOST_COMBINATIONS } from '#shared/limits.ts';
import { extent } from '#test/support/prove.ts';

const ALL = Object.keys(PARTS) as Part[];

const linkedWith = (parts: readonly Part[], each: number) =>
  Object.fromEntries(
    parts.map(part => [part, new Set(Array.from({ length: each }, (_, nth) => `${part} ${nth}`))]),
  );

function chosenBy(nth: number, day: string, linked: ReturnType<typeof linkedWith>, copy = 1) {
  const within = `welcome#${day}#`;
  return choice(linked, `person ${nth}#${within}`, { copy, within });
}
const idsOn = (day: string, linked: ReturnType<typeof linkedWith>, people: number) =>
  new Set(Array.from({ length: people }, (_, nth) => chosenBy(nth, day, linked)?.id));

it('the emails of an automation and day have a bounded number of combinations, and other ones the next day', () => {
  const linked = linkedWith(ALL, 12);
  const first = idsOn('2026-03-01', linked, 20_000);
  expect(first.size).toBeLessThanOrEqual(MOST_COMBINATIONS);
  expect(first.size).toBeGreaterThan(MOST_COMBINATIONS * 0.99);
  expect([...idsOn('2026-03-02', linked, 100)].filter(id => first.has(id))).toEqual([]);
});

it('the copies of an occurrence differ in each part that has more than one candidate', () => {
  const linked = { ...linkedWith(ALL, 50), footer: new Set(['the only footer']) };
  const copies = [1, 2, 3].map(copy => chosenBy(1, '2026-03-01', linked, copy)?.assets);
  for (const part of ALL) {
    expect(new Set(copies.map(assets => assets?.[part])).size, part).toBe(part === 'footer' ? 1 : 3);
  }
});

it('of fewer combinations all are chosen, each by itself', () => {
  const linked = linkedWith(REQUIRED_PARTS, 3);
  expect(idsOn('2026-03-01', linked, 20_000).size).toBe(243);
  const within = 'welcome#2026-03-01#';
  expect(choice(linked, `ann#${within}`, { within })).toEqual(choice(linked, `ann#${within}`));
});

const WITHIN = 'welcome#2026-03-01#';
const drawnBy = (nth: number, linked: Linked, shares: Shares, copy = 1) =>
  drawn(linked, shares, `person ${nth}#${WITHIN}`, { copy, within: WITHIN });
const templates = (...ids: string[]): Linked => ({ template: new Set(ids) });
const PEOPLE = 20_000;
const drawnIds = (linked: Linked, shares: Shares, copy?: number) =>
  Array.from({ length: PEOPLE }, (_, nth) => drawnBy(nth, linked, shares, copy)?.choice.id);
const shareOf = (ids: (string | undefined)[], id: string) => ids.filter(one => one === id).length / PEOPLE;

it('on a day with shares, nine emails of ten are drawn by them, and one at equal shares', () => {
  const [linked, shares] = [templates('a', 'b', 'c'), { template: { a: 700, b: 270, c: 30 } }];
  const all = Array.from({ length: PEOPLE }, (_, nth) => drawnBy(nth, linked, shares));
  const weighted = all.filter(one => one?.weighted);
  expect(weighted.length / PEOPLE).toBeCloseTo(0.9, 2);
  const shareIn = (some: typeof all, id: string) =>
    some.filter(one => one?.choice.id === id).length / some.length;
  expect(['a', 'b', 'c'].map(id => shareIn(weighted, id).toFixed(2))).toEqual(['0.70', '0.27', '0.03']);
  const equal = all.filter(one => !one?.weighted);
  for (const id of ['a', 'b', 'c']) expect(Math.abs(shareIn(equal, id) - 1 / 3)).toBeLessThan(0.03);
  expect(weighted.find(one => one?.choice.id === 'b')?.share).toBe(0.27);
  expect(equal[0]?.share).toBeCloseTo(1 / 3);
});

it('the parts of a combination are drawn apart, and its share is the product of theirs', () => {
  const linked = linkedWith(REQUIRED_PARTS, 2);
  const shares = Object.fromEntries(
    REQUIRED_PARTS.map(part => [part, { [`${part} 0`]: 800, [`${part} 1`]: 200 }]),
  );
  const all = Array.from({ length: PEOPLE }, (_, nth) => drawnBy(nth, linked, shares)).filter(
    one => one?.weighted,
  );
  const has = (part: Part) => (one: (typeof all)[number]) => one?.choice.assets?.[part] === `${part} 0`;
  const both = all.filter(has('subject_line')).filter(has('cta_text')).length / all.length;
  expect(both).toBeCloseTo(0.64, 1);
  const first = all.find(one => REQUIRED_PARTS.every(part => has(part)(one)));
  expect(first?.share).toBeCloseTo(0.8 ** REQUIRED_PARTS.length);
});

it('changed shares move only as many emails as they must', () => {
  const linked = templates('a', 'b', 'c');
  const [before, after] = [
    { a: 500, b: 300, c: 200 },
    { a: 500, b: 400, c: 100 },
  ].map(template => drawnIds(linked, { template }));
  const moved = before?.filter((id, nth) => id !== after?.[nth]).length ?? 0;
  // From c to b, of nine emails of ten. Some more go from a to b, and as many from c to a, as all scores change.
  expect(moved / PEOPLE).toBeGreaterThan(0.08);
  expect(moved / PEOPLE).toBeLessThan(0.14);
});

it('copies take the next best: each another one, and the last one of few begins again', () => {
  const [linked, shares] = [templates('a', 'b', 'c'), { template: { a: 940, b: 30, c: 30 } }];
  for (let nth = 0; nth < 200; nth++) {
    const ids = [1, 2, 3].map(copy => drawnBy(nth, linked, shares, copy)?.choice.id);
    expect(new Set(ids).size).toBe(3);
    // As if what the copies before have were not there.
    const left = templates(...['a', 'b', 'c'].filter(id => id !== ids[0]));
    expect(drawnBy(nth, left, shares)?.choice.id).toBe(ids[1]);
  }
  const two = templates('a', 'b');
  expect(drawnBy(1, two, shares, 3)).toEqual(drawnBy(1, two, shares, 1));
});

it('what is linked during the day waits for the next one, unless there is nothing else', () => {
  const shares = { template: { a: 600, b: 400 } };
  expect(new Set(drawnIds(templates('a', 'b', 'new'), shares))).toEqual(new Set(['a', 'b']));
  const onlyNew = drawnIds(templates('new', 'newer'), shares);
  expect(shareOf(onlyNew, 'new')).toBeCloseTo(0.5, 1);
  const assets = linkedWith(REQUIRED_PARTS, 1);
  const ofAssets = Object.fromEntries(REQUIRED_PARTS.map(part => [part, { [`${part} 0`]: 1_000 }]));
  const both = { ...assets, template: new Set(['new']) };
  expect(drawnBy(1, both, ofAssets)?.choice.assets).toBeDefined();
  const { subject_line: _, ...incomplete }: Linked = both;
  expect(drawnBy(1, incomplete, ofAssets)?.choice.template_id).toBe('new');
  expect(drawnBy(1, {}, shares)).toBeUndefined();
});

it('what is switched off leaves its share to the others, and a new wording takes that of the one before', () => {
  const shares = { template: { a: 600, b: 300, c: 100 } };
  const rest = drawnIds(templates('b', 'c'), shares);
  expect(shareOf(rest, 'b')).toBeCloseTo(0.9 * 0.75 + 0.1 * 0.5, 1);
  const wordings = new Set(['2026-02-28#a2#a', '2026-03-01#a3#a2']);
  const reworded = drawnIds({ ...templates('a3', 'b', 'c'), wordings }, shares);
  expect(shareOf(reworded, 'a3')).toBeCloseTo(0.9 * 0.6 + 0.1 / 3, 1);
});

it('of too many combinations, the emails of a day have a bounded number', () => {
  const linked = linkedWith(ALL, 10);
  const shares = Object.fromEntries(
    ALL.map(part => [part, Object.fromEntries([...(linked[part] ?? [])].map(id => [id, 100]))]),
  );
  const ids = Array.from({ length: 8_000 }, (_, nth) => drawnBy(nth, linked, shares)?.choice.id);
  // Two for each, as one is for the emails at equal shares.
  expect(new Set(ids).size).toBeLessThanOrEqual(2 * MOST_COMBINATIONS);
});

it('the same email gets the same content, whatever the order of what is linked', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 }),
      fc.integer(),
      (ids, nth) => {
        const template = Object.fromEntries(ids.map((id, at) => [id, at + 1]));
        const [one, other] = [ids, ids.toReversed()].map(all =>
          drawnBy(nth, templates(...all), { template }),
        );
        expect(one).toEqual(other);
        expect(one?.share).toBeGreaterThan(0);
      },
    ),
    { numRuns: extent(50, 200) },
  );
});
