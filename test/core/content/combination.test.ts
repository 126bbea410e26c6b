import { expect, it } from 'vitest';
import { choice } from '#core/content/combination.ts';
import { PARTS, type Part, REQUIRED_PARTS } from '#shared/email/content.ts';
import { MOST_COMBINATIONS } from '#shared/limits.ts';

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
  const linked = linkedWith(ALL, 50);
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
