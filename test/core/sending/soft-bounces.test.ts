import { expect, it } from 'vitest';
import { isRow } from '#core/sending/provider-event.ts';

const at = '2030-01-01T12:00:00Z';
const EMAILS = {
  soft: { bounced_at: at, bounce: 'soft' },
  hard: { bounced_at: at, bounce: 'hard' },
  read: { opened_at: at },
  'soft, but read': { bounced_at: at, bounce: 'soft', first_clicked_at: at },
  delivered: { delivered_at: at },
  'delivered, then soft': { delivered_at: at, bounced_at: at, bounce: 'soft' },
  unknown: {},
} as const;
type Name = keyof typeof EMAILS;

/** Whether the newest bounce is in a row, after others, the newest first. */
const isInRow = (names: Name[]) => {
  const emails = names.map((name, index) => ({ seq: names.length - index, ...EMAILS[name] }));
  return isRow(emails, names.length - names.findIndex(name => name.includes('soft')));
};
const five: Name[] = ['soft', 'soft', 'soft', 'soft', 'soft'];

it.each<[string, boolean, Name[]]>([
  ['that are five', true, five],
  ['that are four', false, five.slice(1)],
  ['before what is not known to have arrived', true, ['unknown', ...five]],
  ['before one that was read', false, ['read', ...five]],
  ['before one that was delivered', false, ['unknown', 'delivered', ...five]],
  ['with one between them of which nothing is known', false, [...five.slice(1), 'unknown', 'soft']],
  ['of which one was read', false, [...five.slice(1), 'soft, but read']],
  ['of which one was delivered before it came back', true, [...five.slice(1), 'delivered, then soft']],
  ['of which one is hard', false, [...five.slice(1), 'hard']],
])('soft bounces %s are a row: %s', (_, expected, names) => {
  expect(isInRow(names)).toBe(expected);
});
