/** Whom an automation is meant for, as `model.ts` reads its conditions: by docs/sending.md alone. */
import type { AudienceItem, AudienceRule } from '#shared/audience.ts';
import type { Metadata } from '#shared/metadata.ts';
import { DAY } from '#shared/time.ts';
import { instantOf, localTime, readDate, textOf } from './clocks.ts';
import type { Membership, Person } from './model.ts';

/** The email that is asked about: its member, when it is due, and the zone in which days count. */
type Asked = { member: Membership; zone: string; due: number };

/** Whether an email is meant for this person, by the conditions of its automation. */
export function matches(item: AudienceItem, email: Asked, person: Person): boolean {
  if ('all' in item) return item.all.every(each => matches(each, email, person));
  if ('any' in item) return item.any.some(each => matches(each, email, person));
  const { field, op, value: bound } = item;
  if (field === '@list') return person.memberships.some(({ list }) => list === bound) === (op === 'on');
  const { member, zone } = email;
  const ofField: Metadata = { ...member.metadata, '@email': person.email, '@added': member.added };
  const value = ofField[field];
  const isMissing = value === undefined || textOf(value) === '';
  if (isMissing) return ['not_set', 'is_not', 'not_contains'].includes(op);
  const [text, other] = [textOf(value), textOf(bound as string)];
  const [number, otherNumber] = [numberOf(value), numberOf(bound as string)];
  const isExact = Math.abs(number) < 2 ** 53;
  const isSame = (isExact && number === otherNumber) || text === other;
  if (op === 'set') return true;
  if (op === 'is' || op === 'is_not') return isSame === (op === 'is');
  if (op === 'contains' || op === 'not_contains') return text.includes(other) === (op === 'contains');
  if (op === 'starts_with') return text.startsWith(other);
  if (op === 'greater') return number > otherNumber;
  if (op === 'less') return number < otherNumber;
  const date = readDate(value);
  if (date === undefined) return false;
  const instant = date.isDay ? instantOf(date.instant, zone) : date.instant;
  const [earlier, later] = limitsOf(bound, email.due, zone);
  return op === 'before' ? instant < earlier : instant >= later;
}

/** Values before the one instant are before the bound, values from the other one on after it. */
function limitsOf(bound: AudienceRule['value'], due: number, zone: string): [number, number] {
  if (typeof bound === 'object') {
    const days = 'days_ago' in bound ? -bound.days_ago : bound.days_ahead;
    const instant = instantOf(localTime(due, zone) + days * DAY, zone);
    return [instant, instant + 1];
  }
  const date = readDate(bound) ?? { instant: Number.NaN, isDay: false };
  if (!date.isDay) return [date.instant, date.instant + 1];
  return [instantOf(date.instant, zone), instantOf(date.instant + DAY, zone)];
}

const numberOf = (value: unknown) =>
  typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(String(value).trim()) ? Number(value) : Number.NaN;
