import { faultOf, isDay, type Metadata, type MetadataValue, readDatetime } from './metadata.ts';
import { DAY, MINUTE } from './time.ts';

// Apart from the schema, so that pages without a form do not load zod.

export const MOST_RULES = 20;
// All automations of an organization are read together.
const MOST_BYTES = 8 * 1024;
const MOST_DAYS_AWAY = 3650;

/** What follows an operator, and how it is said. */
export const OPERATORS = {
  is: { takes: 'text', words: 'is' },
  is_not: { takes: 'text', words: 'is not' },
  contains: { takes: 'text', words: 'contains' },
  not_contains: { takes: 'text', words: 'does not contain' },
  starts_with: { takes: 'text', words: 'starts with' },
  greater: { takes: 'number', words: 'is greater than' },
  less: { takes: 'number', words: 'is less than' },
  set: { takes: 'nothing', words: 'is set' },
  not_set: { takes: 'nothing', words: 'is not set' },
  before: { takes: 'date', words: 'is before' },
  after: { takes: 'date', words: 'is after' },
  on: { takes: 'list', words: 'are on' },
  not_on: { takes: 'list', words: 'are not on' },
} as const;
export type Operator = keyof typeof OPERATORS;

/** Fields that are no metadata: no key may begin with an @. */
const SPECIAL: Record<string, { subject: string; operators: readonly Operator[] }> = {
  '@added': { subject: 'the day they were added', operators: ['before', 'after'] },
  '@email': {
    subject: 'the address',
    operators: ['is', 'is_not', 'contains', 'not_contains', 'starts_with'],
  },
  '@list': { subject: 'they', operators: ['on', 'not_on'] },
};
export const SPECIAL_FIELDS = Object.keys(SPECIAL);

const OF_METADATA = (Object.keys(OPERATORS) as Operator[]).filter(op => OPERATORS[op].takes !== 'list');

export const operatorsOf = (field: string): readonly Operator[] => SPECIAL[field]?.operators ?? OF_METADATA;

/** From the minute in which an email is due. */
type DaysAway = { days_ago: number } | { days_ahead: number };

export type AudienceRule = { field: string; op: Operator; value?: MetadataValue | DaysAway };
type Group<Item> = { all: Item[] } | { any: Item[] };
export type AudienceGroup = Group<AudienceRule>;
export type Audience = Group<AudienceRule | AudienceGroup>;
export type AudienceItem = AudienceRule | Audience;

const itemsOf = (group: Audience): (AudienceRule | AudienceGroup)[] =>
  'all' in group ? group.all : group.any;

/** All rules, also those of nested groups. */
export const rulesOf = (item: AudienceItem): AudienceRule[] =>
  'field' in item ? [item] : itemsOf(item).flatMap(rulesOf);

/** The lists that its rules name. */
export const listsOf = (item: AudienceItem): string[] =>
  rulesOf(item).flatMap(({ field, value }) => (field === '@list' ? [String(value)] : []));

export type AudienceMember = {
  email: string;
  metadata: Metadata;
  created_at: string;
  /** Of which lists the person has a membership, subscribed or not. */
  lists: { has: (id: string) => boolean };
};

/** The local time of a time zone, in milliseconds as if it were UTC, and back. */
type LocalClock = {
  localTime: (instant: number) => number;
  instantOf: (day: number, minute: number) => number;
};

/** `at`: the minute in which the email is due. `zone`: in which days are counted. */
export type When = { at: Date; zone: LocalClock };

/** The first rule that a member does not match, or the group `any` of which they match nothing. */
export function firstMismatch(
  item: AudienceItem,
  member: AudienceMember,
  when: When,
): AudienceItem | undefined {
  if ('field' in item) return TESTS[item.op](fieldIn(item, member), item.value, when) ? undefined : item;
  const mismatches = itemsOf(item).map(part => firstMismatch(part, member, when));
  if ('all' in item) return mismatches.find(mismatch => mismatch !== undefined);
  return mismatches.includes(undefined) ? undefined : item;
}

/** Blank text counts as missing. */
function fieldIn({ field, value }: AudienceRule, member: AudienceMember): MetadataValue | undefined {
  if (field === '@email') return member.email;
  if (field === '@added') return member.created_at;
  if (field === '@list') return member.lists.has(String(value));
  const found = Object.hasOwn(member.metadata, field) ? member.metadata[field] : undefined;
  return typeof found === 'string' && found.trim() === '' ? undefined : found;
}

type Test = (value: MetadataValue | undefined, to: AudienceRule['value'], when: When) => boolean;

const not =
  (test: Test): Test =>
  (...input) =>
    !test(...input);

/** Neither case nor the blanks around a text count: nobody sees them. */
const lowered = (value: unknown) => String(value).trim().toLowerCase();

function isSame(value: MetadataValue | undefined, to: AudienceRule['value']): boolean {
  if (value === undefined) return false;
  const [number, other] = [numberOf(value), numberOf(to)];
  // Beyond these, two ids of many digits are the same number.
  const isExact = number !== undefined && Math.abs(number) <= Number.MAX_SAFE_INTEGER;
  if (isExact && other !== undefined) return number === other;
  return lowered(value) === lowered(to);
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : undefined;
}

const compared =
  (holds: (value: number, to: number) => boolean): Test =>
  (value, to) => {
    const [number, other] = [numberOf(value), numberOf(to)];
    return number !== undefined && other !== undefined && holds(number, other);
  };

function dated(holds: (instant: number, bounds: Bounds) => boolean): Test {
  return (value, to, when) => {
    const [instant, bounds] = [instantOf(value, when), boundsOf(to, when)];
    return instant !== undefined && bounds !== undefined && holds(instant, bounds);
  };
}

const contains: Test = (value, to) => value !== undefined && lowered(value).includes(lowered(to));
const isSet: Test = value => value !== undefined;
const isOn: Test = value => value === true;

const TESTS: Record<Operator, Test> = {
  is: isSame,
  is_not: not(isSame),
  contains,
  not_contains: not(contains),
  starts_with: (value, to) => value !== undefined && lowered(value).startsWith(lowered(to)),
  greater: compared((value, to) => value > to),
  less: compared((value, to) => value < to),
  set: isSet,
  not_set: not(isSet),
  before: dated((instant, { from }) => instant < from),
  after: dated((instant, { until }) => instant >= until),
  on: isOn,
  not_on: not(isOn),
};

/** A date without a time is the first instant of that local day. */
function instantOf(value: MetadataValue | undefined, { zone }: When): number | undefined {
  const instant = typeof value === 'string' ? readDatetime(value) : undefined;
  if (typeof value !== 'string' || !(instant instanceof Date)) return undefined;
  return isDay(value) ? zone.instantOf(instant.getTime() / DAY, 0) : instant.getTime();
}

/** What is before it is earlier than `from`; what is after it is not earlier than `until`. */
type Bounds = { from: number; until: number };

function boundsOf(to: AudienceRule['value'], { at, zone }: When): Bounds | undefined {
  if (typeof to === 'object') {
    const local = zone.localTime(at.getTime());
    const day = Math.floor(local / DAY);
    const minute = Math.floor((local - day * DAY) / MINUTE);
    const from = zone.instantOf('days_ago' in to ? day - to.days_ago : day + to.days_ahead, minute);
    return { from, until: from + 1 };
  }
  const instant = typeof to === 'string' ? readDatetime(to) : undefined;
  if (typeof to !== 'string' || !(instant instanceof Date)) return undefined;
  if (!isDay(to)) return { from: instant.getTime(), until: instant.getTime() + 1 };
  const day = instant.getTime() / DAY;
  return { from: zone.instantOf(day, 0), until: zone.instantOf(day + 1, 0) };
}

/** The names of lists, by their ids. */
type Names = ReadonlyMap<string, string>;

/** Such as `plan is pro`, `the address contains @example.com` or `they are on the list Customers`. */
export function describeRule({ field, op, value }: AudienceRule, names: Names): string {
  const subject = SPECIAL[field]?.subject ?? field;
  const { takes, words } = OPERATORS[op];
  if (takes === 'nothing') return `${subject} ${words}`;
  if (takes === 'list') return `${subject} ${words} the list ${names.get(String(value)) ?? '(deleted)'}`;
  if (typeof value !== 'object') return `${subject} ${words} ${String(value).trim()}`;
  const [days, away] = 'days_ago' in value ? [value.days_ago, 'ago'] : [value.days_ahead, 'ahead'];
  if (days === 0) return `${subject} is in the ${op === 'before' ? 'past' : 'future'}`;
  const isFurther = (away === 'ago') === (op === 'before');
  return `${subject} is ${isFurther ? 'more' : 'less'} than ${days} ${days === 1 ? 'day' : 'days'} ${away}`;
}

function describeItem(item: AudienceItem, names: Names): string {
  if ('field' in item) return describeRule(item, names);
  const parts = itemsOf(item).map(part =>
    'field' in part || itemsOf(part).length === 1
      ? describeItem(part, names)
      : `(${describeItem(part, names)})`,
  );
  return parts.join('all' in item ? ' and ' : ' or ');
}

/** A sentence, without its full stop. */
export const describeAudience = (audience: Audience | null, names: Names): string =>
  audience ? `Members for whom ${describeItem(audience, names)}` : 'All members of the lists';

/** Such as `plan is free; this automation is for plan is pro`. */
export function describeMismatch(
  item: AudienceItem,
  member: AudienceMember,
  { zone }: Pick<When, 'zone'>,
  names: Names,
): string {
  // As the rule does, which counts days by the same clock.
  const added = new Date(zone.localTime(Date.parse(member.created_at))).toISOString().slice(0, 10);
  const found = rulesOf(item).map((rule): AudienceRule => {
    const { field, op } = rule;
    if (field === '@list') return { ...rule, op: op === 'on' ? 'not_on' : 'on' };
    const value = field === '@added' ? added : fieldIn(rule, member);
    return value === undefined ? { field, op: 'not_set' } : { field, op: 'is', value };
  });
  const texts = new Set(found.map(rule => describeRule(rule, names)));
  return `${[...texts].join(', ')}; this automation is for ${describeItem(item, names)}`;
}

const FORM = 'Send null for everybody, or a group of rules: {"all": [rules]} or {"any": [rules]}';

/** Why an audience cannot be used, in words that say what to do. It does not know which lists exist. */
export function audienceFault(audience: unknown): string | undefined {
  let rules = 0;
  const faultIn = (item: unknown, depth: number): string | undefined => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return FORM;
    if (!('all' in item || 'any' in item)) {
      rules++;
      return depth === 0 ? FORM : ruleFault(item);
    }
    if (depth > 1) return 'Groups can be nested once: move the rules of the inner group out';
    if ('all' in item && 'any' in item) return 'A group has either all or any: split it into two groups';
    const items: unknown = 'all' in item ? item.all : (item as { any: unknown }).any;
    if (!Array.isArray(items)) return FORM;
    if (items.length === 0) return 'A group needs at least one rule: add one, or remove the group';
    // Each group has a rule, so more items have too many rules.
    if (items.length > MOST_RULES) return TOO_MANY;
    return firstOf(items, part => faultIn(part, depth + 1));
  };
  return (
    faultIn(audience, 0) ?? (rules > MOST_RULES ? TOO_MANY : isTooLarge(audience) ? TOO_LARGE : undefined)
  );
}

const isTooLarge = (audience: unknown) =>
  new TextEncoder().encode(JSON.stringify(audience)).length > MOST_BYTES;
const TOO_LARGE = `Conditions can have ${MOST_BYTES / 1024} KB in all: shorten their values`;

const TOO_MANY = `At most ${MOST_RULES} rules can be used: remove some`;

function firstOf<T, R>(items: T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ruleFault({ field, op, value }: { field?: unknown; op?: unknown; value?: unknown }) {
  if (typeof field !== 'string') return 'A rule needs a field: a key of metadata, @added, @email or @list';
  const isKey = !field.startsWith('@');
  if (!isKey && !SPECIAL_FIELDS.includes(field)) {
    return `There is no field ${field.slice(0, 64)}: use ${SPECIAL_FIELDS.join(', ')} or a key of metadata`;
  }
  const keyFault = isKey ? faultOf(field, null) : undefined;
  if (keyFault) return keyFault;
  const operators = operatorsOf(field);
  const operator = operators.find(known => known === op);
  if (!operator) return `Choose an operator for ${field}: ${operators.join(', ')}`;
  return VALUE_FAULTS[OPERATORS[operator].takes](value, `${field} ${operator}`);
}

type Takes = (typeof OPERATORS)[Operator]['takes'];

const VALUE_FAULTS: Record<Takes, (value: unknown, rule: string) => string | undefined> = {
  nothing: (value, rule) => (value === undefined ? undefined : `${rule} takes no value: remove it`),
  text: (value, rule) => {
    const isText = ['string', 'number', 'boolean'].includes(typeof value) && String(value).trim() !== '';
    return isText ? faultOf('value', value) : `Enter a value for ${rule}: text, a number, true or false`;
  },
  number: (value, rule) =>
    numberOf(value) === undefined ? `Enter a number for ${rule}` : faultOf('value', value),
  date: (value, rule) =>
    isBound(value)
      ? undefined
      : `Enter a date for ${rule}: 2030-12-24, 2030-12-24T09:00:00Z, {"days_ago": n} or {"days_ahead": n}, where n is a whole number from 0 to ${MOST_DAYS_AWAY}`,
  list: (value, rule) =>
    typeof value === 'string' && /^[a-z0-9]{12}$/.test(value)
      ? undefined
      : `Enter the id of an email list for ${rule}`,
};

function isBound(value: unknown): boolean {
  if (typeof value === 'string') return readDatetime(value) instanceof Date;
  if (typeof value !== 'object' || value === null) return false;
  const [[unit, days] = [], ...others] = Object.entries(value);
  const isUnit = unit === 'days_ago' || unit === 'days_ahead';
  return isUnit && others.length === 0 && Number.isInteger(days) && days >= 0 && days <= MOST_DAYS_AWAY;
}

/** Of a valid one, without fields that mean nothing. As for a fault, what has rules is a group, whatever else it has. */
export function cleanAudience(audience: Audience): Audience {
  const clean = <T extends AudienceItem>(item: T): T => {
    if ('all' in item) return { all: item.all.map(clean) } as T;
    if ('any' in item) return { any: item.any.map(clean) } as T;
    const { field, op, value } = item as AudienceRule;
    return { field, op, ...(value !== undefined && { value }) } as T;
  };
  return clean(audience);
}
