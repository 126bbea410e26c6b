import { expect, it } from 'vitest';
import type { AutomationContent, LinkedAsset, LinkedTemplate } from '#shared/automation-content.ts';
import { PARTS, type Part, REQUIRED_PARTS } from '#shared/email/content.ts';
import { activeText, needsText } from '#web/features/automation/content-rows.tsx';
import { combinationsText } from '#web/features/automation/content-section.tsx';
import {
  choicesOf,
  emailAt,
  emailCount,
  firstPlace,
  placeWith,
  positionOf,
  shownIds,
  stepped,
} from '#web/features/automation/email-stepper.tsx';
import { nextText } from '#web/features/automation/forecast.tsx';

const NO_TEXTS = Object.fromEntries(Object.keys(PARTS).map(part => [part, null])) as Record<Part, null>;
const template = (id: string, fields: Partial<LinkedTemplate> = {}): LinkedTemplate => ({
  id,
  name: id,
  is_active: true,
  columns: [],
  warnings: [],
  subject_line: id,
  language_code: 'de',
  texts: { ...NO_TEXTS, subject_line: id },
  ...fields,
});
const asset = (type: Part, nth: number, fields: Partial<LinkedAsset> = {}): LinkedAsset => ({
  id: `${type}${nth}`,
  name: null,
  type,
  is_active: true,
  columns: [],
  warnings: [],
  excerpt: `${type} ${nth}`,
  value: `${type} ${nth}`,
  ...fields,
});
function contentWith(templates: LinkedTemplate[], assets: LinkedAsset[]): AutomationContent {
  const active = Object.fromEntries(
    Object.keys(PARTS).map(part => [
      part,
      assets.filter(({ type, is_active }) => is_active && type === part).length,
    ]),
  ) as Record<Part, number>;
  const usable = templates.filter(({ is_active }) => is_active).length;
  const product = Object.values(active).reduce((all, count) => all * (count || 1), 1);
  const isWhole = REQUIRED_PARTS.every(part => active[part] > 0);
  return {
    templates,
    assets,
    left_out: 0,
    active: { templates: usable, assets: active },
    combinations: usable || (isWhole ? product : 0),
  };
}
const twoOfEach = REQUIRED_PARTS.flatMap(part => [asset(part, 1), asset(part, 2)]);

it('each combination of assets is shown once by stepping on, and the first one again after the last', () => {
  const choices = choicesOf(contentWith([], [...twoOfEach, asset('preheader', 1, { is_active: false })]));
  expect(emailCount(choices)).toBe(32);
  const seen = new Set<string>();
  let place = firstPlace(choices);
  for (let position = 1; position <= 32; position++) {
    expect(positionOf(choices, place)).toBe(position);
    seen.add(shownIds(choices, place).join());
    place = stepped(choices, place, 1);
  }
  expect(seen.size).toBe(32);
  expect(place).toEqual(firstPlace(choices));
  expect(positionOf(choices, stepped(choices, place, -1))).toBe(32);
});

it('an asset can be shown by itself, with the others as they are', () => {
  const choices = choicesOf(contentWith([], twoOfEach));
  const place = placeWith(choices, firstPlace(choices), 'footer2');
  expect(emailAt(choices, place)).toMatchObject({
    content: { footer: 'footer 2', subject_line: 'subject_line 1' },
  });
});

it('active templates are shown in place of assets, as they are sent', () => {
  const templates = [
    template('one'),
    template('off', { is_active: false }),
    template('long', { texts: null }),
  ];
  const choices = choicesOf(contentWith(templates, twoOfEach));
  expect(emailCount(choices)).toBe(1);
  expect(emailAt(choices, firstPlace(choices))).toMatchObject({
    content: { subject_line: 'one' },
    language: 'de',
  });
});

it('without an active asset of each required type, there is nothing to show', () => {
  expect(
    choicesOf(
      contentWith(
        [],
        twoOfEach.slice(1).filter(({ type }) => type !== 'footer'),
      ),
    ),
  ).toEqual([]);
  expect(emailCount([])).toBe(0);
});

it('a sentence says how many different emails an automation sends, and what they consist of', () => {
  const text = (templates: LinkedTemplate[], assets: LinkedAsset[]) =>
    combinationsText(contentWith(templates, assets));
  expect(text([template('one')], [])).toBe('Every email is its one active template.');
  expect(text([template('one'), template('two')], twoOfEach)).toBe(
    'Each email is one of its 2 active templates, chosen at random. Its assets are used only while it has no active template.',
  );
  expect(text([], twoOfEach)).toBe(
    '32 combinations: each email has one asset of each type, chosen at random.',
  );
  const many = REQUIRED_PARTS.flatMap(part => Array.from({ length: 12 }, (_, nth) => asset(part, nth)));
  expect(text([], many)).toBe(
    '248,832 combinations: each email has one asset of each type, chosen at random. Each day chooses from 1,000 of them, and the next day from others.',
  );
  expect(activeText([template('off', { is_active: false })], 0)).toBe('0 active, 1 inactive');
  expect(needsText(['first_name', 'city'])).toBe('Needs first_name and city');
});

it('the next days on which something is sent are named', () => {
  const days = [0, 3, 0, 1, 2, 0, 0, 5].map((count, at) => ({
    date: `2026-11-${23 + at}`,
    count,
    skipped: 0,
  }));
  expect(nextText(days)).toBe(
    'Next: Tue, Nov 24: 3 emails; Thu, Nov 26: 1 email; Fri, Nov 27: 2 emails. In the next 7 days: 6 emails.',
  );
  expect(nextText(days.map(day => ({ ...day, count: 0 })))).toBeUndefined();
});
